# Looks, labels, links and colors of drawings, and Mermaid.
# shows: a.mmd f.mmd
x : f64[4, 3] = [[1.0, 2.0, 3.0], [0.0, 1.0, 0.0], [2.0, 1.0, 2.0], [1.0, 1.0, 1.0]]
W : f64[3, 3]
b : f64[3]
S = scan t over u = x from h = zeros(3) { h[t] = tanh(u[t] @ W + h[t-1] * b); until sum(h[t]) < 0 }
:draw S a.mmd link="https://example.org/{op}.html" label="h=the <b>state</b> \"h\" $$x$$; W=weights" title="a < b"
:draw S f.mmd style=figure label="h=hidden state" link="names/{name}.html" color=numbers.json
:draw S a.svg look=serif.look color=flops label="%6=first"
:draw S a.tex look=serif.look style=figure
---
a.mmd: 13 nodes, 14 edges
f.mmd: 6 nodes, 6 edges
input.gr:8:1: note: filled by numbers.json, from 0 to 2
    :draw S f.mmd style=figure label="h=hidden state" link="names/{name}.html" color=numbers.json
    ^^^^^
a.svg: 13 nodes, 14 edges
input.gr:9:1: note: filled by flops, from 0 to 72
    :draw S a.svg look=serif.look color=flops label="%6=first"
    ^^^^^
a.tex: 6 nodes, 6 edges
==> a.mmd
---
title: "a ˂ b"
---
flowchart TB
  n1["zeros(3) #37;1<br>f64[3]"]
  n4(["x #37;2<br>f64[4, 3]"])
  n13[["h #37;12<br>f64[steps, 3]"]]
  subgraph b1["scan n#60;=4 #37;11<br>until"]
    o1((" "))
    n2(["h[t-1]<br>f64[3]"])
    n3[/"u[t]<br>f64[3]"/]
    n5(["b #37;3<br>f64[3]"])
    n6(["weights: W #37;4<br>f64[3, 3]"])
    n7["#42; #37;6<br>f64[3]"]
    n8["@ #37;5<br>f64[3]"]
    n9["#43; #37;7<br>f64[3]"]
    n10["the #60;b#62;state#60;/b#62; #34;h#34; #36;#8288;#36;x#36;#8288;#36;: h[t] = tanh #37;8<br>f64[3]"]
    n11["sum #37;9<br>f64"]
    n12["#37;9 #60; 0.0 #37;10<br>bool"]
  end
  n1 ==>|"f64[3], init"| n2
  n4 ==>|"f64[4, 3]"| n3
  n2 -->|"f64[3]"| n7
  n5 -->|"f64[3]"| n7
  n3 -->|"f64[3], 0"| n8
  n6 -->|"f64[3, 3], 1"| n8
  n8 -->|"f64[3]"| n9
  n7 -->|"f64[3]"| n9
  n9 -->|"f64[3]"| n10
  n10 -->|"f64[3]"| n11
  n11 -->|"f64"| n12
  n10 -.->|"next"| n2
  n12 -.->|"until"| o1
  n10 -->|"trace, f64[steps, 3]"| n13
  classDef structural fill:#f4f5f7,stroke:#6b7480,color:#1b2027
  class n13 structural
  classDef input fill:#f4f5f7,stroke:#6b7480,color:#1b2027
  class n2,n3,n4,n5,n6 input
  classDef elementwise fill:#cfe4f8,stroke:#3472ad,color:#1b2027
  class n7,n9,n10,n12 elementwise
  classDef reduce fill:#fbd3bd,stroke:#b5532a,color:#1b2027
  class n11 reduce
  classDef shape fill:#f8eebb,stroke:#917a12,color:#1b2027
  class n1 shape
  classDef linalg fill:#bfe8d4,stroke:#1f7d5b,color:#1b2027
  class n8 linalg
  click n1 href "https://example.org/broadcast.html"
  click n7 href "https://example.org/mul.html"
  click n8 href "https://example.org/matmul.html"
  click n9 href "https://example.org/add.html"
  click n10 href "https://example.org/tanh.html"
  click n11 href "https://example.org/sum.html"
  click n12 href "https://example.org/lt.html"
==> f.mmd
flowchart LR
%% filled by numbers.json, from 0 to 2
  n2(["0"])
  n6[["h<br>2"]]
  subgraph b1["for each x[t], until sum(h[t]) #60; 0<br>W  b"]
    n1(["h[t-1]<br>2"])
    n3[/"x[t]"/]
    n4["hidden state: h[t] = tanh(x[t] W + h[t-1] ⊙ b)<br>2"]
    n5[["h[t]<br>2"]]
  end
  n2 ==> n1
  n3 --> n4
  n1 --> n4
  n4 ==> n5
  n5 -.-> n1
  n5 --> n6
  style n1 fill:#ff922b,stroke:#7a4208,color:#1b2027
  style n4 fill:#ff922b,stroke:#7a4208,color:#1b2027
  style n5 fill:#ff922b,stroke:#7a4208,color:#1b2027
  style n6 fill:#ff922b,stroke:#7a4208,color:#1b2027
  click n1 href "names/h.html"
  click n3 href "names/x.html"
  click n4 href "names/h.html"
  click n5 href "names/h.html"
  click n6 href "names/h.html"
