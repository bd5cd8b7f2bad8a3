# The gates as textbooks write them, W @ x + U @ h; a mixture of both forms; values against row vectors.
x : f64[T, 2] = [[0.5, -1.0], [1.5, 0.3], [-0.2, 0.8], [0.0, 1.1]]
Wi : f64[3, 2] = [[0.4, -0.3], [0.2, 0.7], [-0.5, 0.1]]
Wf : f64[3, 2] = [[-0.1, 0.6], [0.5, 0.2], [0.3, 0.3]]
Ui : f64[3, 3] = [[0.1, 0.2, -0.3], [-0.3, 0.4, 0.2], [0.6, -0.1, 0.1]]
Uf : f64[3, 3] = [[0.5, -0.2, 0.3], [0.1, 0.3, -0.4], [0.2, 0.2, 0.1]]
S = scan t over x from h = zeros(3), c = zeros(3) {
  i = sigmoid(Wi @ x[t] + Ui @ h[t-1])
  f = sigmoid(Wf @ x[t] + Uf @ h[t-1])
  c[t] = f * c[t-1] + i
  h[t] = tanh(c[t])
}
:graph S.h pass=loops
:steps S.h rule=batch-dots
M = scan t over x from h = zeros(3), c = zeros(3) {
  i = sigmoid(x[t] @ Wi' + Ui @ h[t-1])
  f = sigmoid(Wf @ x[t] + h[t-1] @ Uf')
  c[t] = f * c[t-1] + i
  h[t] = tanh(c[t])
}
:steps M.h rule=batch-dots
# of rank 2, both forms stay apart
N = scan t for 3 from H = eye(3) { H[t] = tanh(Ui @ H[t-1] + H[t-1] @ Uf) + Uf @ H[t-1] }
:steps N.final rule=batch-dots
:audit S.h
:audit M.h
:audit N.final
R = scan t over x from h = zeros(3), c = zeros(3) {
  c[t] = sigmoid(x[t] @ Wf' + h[t-1] @ Uf') * c[t-1] + sigmoid(x[t] @ Wi' + h[t-1] @ Ui')
  h[t] = tanh(c[t])
}
max(abs(S.h - R.h)) < 1e-15 and max(abs(M.h - R.h)) < 1e-15
max(abs(grad(sum(S.h), Ui) - grad(sum(R.h), Ui))) < 1e-14
---
x : f64[T, 2]
Wi : f64[3, 2]
Wf : f64[3, 2]
Ui : f64[3, 3]
Uf : f64[3, 3]
t1 = broadcast_to(0.0, (3,))
t2 = concat((Ui, Uf), axis=0)
S = scan t over W_fi_x = x @ concat((Wf, Wi), axis=0)' from h = t1, c = t1 keep h {
  t3 = t2 @ h[t-1]
  i = sigmoid(W_fi_x[t][3:] + t3[:3])
  f = sigmoid(W_fi_x[t][:3] + t3[3:])
  c[t] = f * c[t-1] + i
  h[t] = tanh(c[t])
}
S.h
loops: 4 steps, 29 -> 33 nodes, done
  2  batch-dots [R]
      # several products that share an operand are one product; 2 products that share an operand
      scan h, c: it no longer reads Ui, Uf
      it reads U_if = concat((Ui, Uf), axis=0)
      - f = sigmoid(Wf @ x[t] + «Uf @ h»[t-1])
      + f = sigmoid(Wf @ x[t] + «Uf_h»[t-1])
      - i = sigmoid(Wi @ x[t] + «Ui @ h»[t-1])
      + i = sigmoid(Wi @ x[t] + «Ui_h»[t-1])
      … and 3 more
  3  batch-dots [R]
      # several products that share an operand are one product; 2 products that share an operand
      scan h, c: it no longer reads Wi, Wf
      it reads W_fi = concat((Wf, Wi), axis=0)
      - i = sigmoid(«Wi @ x»[t] + Ui_h[t-1])
      + i = sigmoid(«Wi_x»[t] + Ui_h[t-1])
      - f = sigmoid(«Wf @ x»[t] + Uf_h[t-1])
      + f = sigmoid(«Wf_x»[t] + Uf_h[t-1])
      … and 3 more
loops: 5 steps, 31 -> 33 nodes, done
  3  batch-dots [R]
      # several products that share an operand are one product; 2 products that share an operand
      scan h, c: it no longer reads Ui, Uf_T
      it reads U_if = concat((Ui, Uf), axis=0)
      - f = sigmoid(Wf @ x[t] + «h»[t-1] «@ Uf_T»)
      + f = sigmoid(Wf @ x[t] + «h_Uf_T»[t-1])
      - i = sigmoid(x[t] @ Wi_T + «Ui @ h»[t-1])
      + i = sigmoid(x[t] @ Wi_T + «Ui_h»[t-1])
      … and 3 more
  4  batch-dots [R]
      # several products that share an operand are one product; 2 products that share an operand
      scan h, c: it no longer reads Wf, Wi_T
      it reads W_fi = concat((Wf, Wi), axis=0)
      - i = sigmoid(«x»[t] «@ Wi_T» + Ui_h[t-1])
      + i = sigmoid(«x_Wi_T»[t] + Ui_h[t-1])
      - f = sigmoid(«Wf @ x»[t] + h_Uf_T[t-1])
      + f = sigmoid(«Wf_x»[t] + h_Uf_T[t-1])
      … and 3 more
loops: 2 steps, 19 -> 23 nodes, done
  4  batch-dots [R]
      # several products that share an operand are one product; 2 products that share an operand
      scan H: it no longer reads Ui
      it reads U_fi = concat((Uf, Ui), axis=0)
      - H[t] = tanh(«Ui @ H»[t-1] + H[t-1] @ Uf) + «Uf @ H»[t-1]
      + H[t] = tanh(«Ui_H»[t-1] + H[t-1] @ Uf) + «Uf_H»[t-1]
      + %21 = U_fi @ H[t-1]
      … and 2 more
step  pass        rule          classes  error  ulp
1     loops       dead-results  [E]      0      0
2     loops       batch-dots    [R]      0      0
3     loops       batch-dots    [R]      0      0
4     loops       sequence-dot  [R]      0      0
5     specialize  gemm          [R]      0      0
6.1   fuse        fuse          [E]      0      0
6     fuse        inner         [E]      0      0
7     lower       lower-scan    [E]      0      0
8 steps, 8 compared: all within what their classes allow; largest error 0
step  pass        rule          classes  error  ulp
1     loops       dead-results  [E]      0      0
2     loops       hoist         [E]      0      0
3     loops       batch-dots    [R]      0      0
4     loops       batch-dots    [R]      0      0
5     loops       sequence-dot  [R]      0      0
6     specialize  gemm          [R]      0      0
7.1   fuse        fuse          [E]      0      0
7     fuse        inner         [E]      0      0
8     lower       lower-scan    [E]      0      0
9 steps, 9 compared: all within what their classes allow; largest error 0
step  pass    rule              classes  error  ulp
1     expand  expand-composite  [E]      0      0
2     expand  broadcast-expand  [E]      0      0
3     loops   dead-results      [E]      0      0
4     loops   batch-dots        [R]      0      0
5     fuse    fuse              [E]      0      0
6.1   fuse    fuse              [E]      0      0
6     fuse    inner             [E]      0      0
7     lower   lower-scan        [E]      0      0
8 steps, 8 compared: all within what their classes allow; largest error 0
bool = true
bool = true
