# A picture of frames.
# shows: film.svg
x : f64[3] = [0.5, 1, -2]
H = scan t over x from h = 1.0 { h[t] = tanh(h[t-1] * x[t]) }
:play H film.svg at=1..2
---
film.svg: 2 steps of 3
==> film.svg
<svg xmlns="http://www.w3.org/2000/svg" width="1108" height="153" viewBox="0 0 1108 153" role="img" font-family="'DejaVu Sans Mono', monospace" font-size="13" fill="#1b1f24" xml:space="preserve">
<title>2 of 3 steps of the loop of H</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<g transform="translate(12,12)">
<rect x="0" y="0" width="536" height="129" rx="6" fill="#f6f8fa" stroke="#d0d7de"/>
<text font-weight="600" x="12" y="30">scan h, step 1 of 0..2, t = 1</text>
<text x="12" y="57">h[1] = tanh(h[0] * x[1]) = tanh(0.462117 * 1) = 0.431808</text>
<text x="12" y="97">h[1]</text>
<rect x="52" y="69" width="472" height="48" fill="#ffffff" stroke="#d0d7de"/>
<path fill="none" d="M52 69L209.3 84.2L366.7 85.1" stroke="#0550ae" stroke-width="1.5"/>
</g>
<g transform="translate(560,12)">
<rect x="0" y="0" width="536" height="129" rx="6" fill="#f6f8fa" stroke="#d0d7de"/>
<text font-weight="600" x="12" y="30">scan h, step 2 of 0..2, t = 2</text>
<text x="12" y="57">h[2] = tanh(h[1] * x[2]) = tanh(0.431808 * (-2)) = -0.698116</text>
<text x="12" y="97">h[2]</text>
<rect x="52" y="69" width="472" height="48" fill="#ffffff" stroke="#d0d7de"/>
<path fill="none" d="M52 69L209.3 84.2L366.7 85.1L524 117" stroke="#0550ae" stroke-width="1.5"/>
</g>
</svg>
