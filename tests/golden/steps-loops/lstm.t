# The LSTM written gate by gate: one product before the loop, one per step.
x  : f64[T, 2] = [[0.5, -1.0], [1.5, 0.3], [-0.2, 0.8], [0.0, 1.1]]
Wi : f64[2, 2] = [[0.4, -0.3], [0.2, 0.7]]
Wf : f64[2, 2] = [[-0.1, 0.6], [0.5, 0.2]]
Wo : f64[2, 2] = [[0.3, 0.3], [-0.4, 0.1]]
Wc : f64[2, 2] = [[0.8, -0.2], [0.1, 0.9]]
Ui : f64[2, 2] = [[0.1, 0.2], [-0.3, 0.4]]
Uf : f64[2, 2] = [[0.5, -0.2], [0.1, 0.3]]
Uo : f64[2, 2] = [[-0.2, 0.1], [0.6, 0.2]]
Uc : f64[2, 2] = [[0.3, -0.5], [0.2, 0.1]]
S = scan t over x from h = zeros(2), c = zeros(2) {
  i = sigmoid(x[t] @ Wi + h[t-1] @ Ui)
  f = sigmoid(x[t] @ Wf + h[t-1] @ Uf)
  o = sigmoid(x[t] @ Wo + h[t-1] @ Uo)
  c[t] = f * c[t-1] + i * tanh(x[t] @ Wc + h[t-1] @ Uc)
  h[t] = o * tanh(c[t])
}
:graph S.h ssa=on pass=loops
:steps S.h
S.h
:audit S.h
# gates of all steps at once are eight times what they come from
X : f64[3, 64] = ones((3, 64))
V : f64[64, 512] = ones((64, 512)) / 100
N = scan t over X from g = zeros(128) { z = X[t] @ V; g[t] = tanh(z[:128]) * sigmoid(z[384:]) - g[t-1] @ eye(128) }
:steps N rule=sequence-dot
---
%1 : i64 = size{size=T}()
%2 : f64[2] = broadcast{axes=()}(0.0, 2)
%3 : f64[T, 2] = input{name=x}()
%11 : f64[2, 2] = input{name=Wc}()
%8 : f64[2, 2] = input{name=Wi}()
%7 : f64[2, 2] = input{name=Wf}()
%5 : f64[2, 2] = input{name=Wo}()
%45 : f64[2, 8] = concat{axis=1}(%11, %8, %7, %5)
%51 : f64[T, 8] = matmul(%3, %45)
%4 : f64[2, 2] = input{name=Uo}()
%6 : f64[2, 2] = input{name=Uf}()
%9 : f64[2, 2] = input{name=Ui}()
%10 : f64[2, 2] = input{name=Uc}()
%39 : f64[2, 8] = concat{axis=1}(%4, %6, %9, %10)
@1 = graph(p0: f64[2], p1: f64[2], p2: f64[8], p3: f64[2, 8]) {  # p0 "h[t-1]", p1 "c[t-1]", p2 "x_W_cifo[t]", p3 U_ofic
  %47 : f64[2] = slice{axis=0, step=1}(p2, 6, 2)  # "x_Wo[t]"
  %40 : f64[8] = matmul(p0, p3)
  %41 : f64[2] = slice{axis=0, step=1}(%40, 0, 2)  # "h_Uo[t-1]"
  %14 : f64[2] = add(%47, %41)
  %15 : f64[2] = sigmoid(%14)  # o
  %48 : f64[2] = slice{axis=0, step=1}(p2, 4, 2)  # "x_Wf[t]"
  %42 : f64[2] = slice{axis=0, step=1}(%40, 2, 2)  # "h_Uf[t-1]"
  %18 : f64[2] = add(%48, %42)
  %19 : f64[2] = sigmoid(%18)  # f
  %20 : f64[2] = mul(%19, p1)
  %49 : f64[2] = slice{axis=0, step=1}(p2, 2, 2)  # "x_Wi[t]"
  %43 : f64[2] = slice{axis=0, step=1}(%40, 4, 2)  # "h_Ui[t-1]"
  %23 : f64[2] = add(%49, %43)
  %24 : f64[2] = sigmoid(%23)  # i
  %50 : f64[2] = slice{axis=0, step=1}(p2, 0, 2)  # "x_Wc[t]"
  %44 : f64[2] = slice{axis=0, step=1}(%40, 6, 2)  # "h_Uc[t-1]"
  %27 : f64[2] = add(%50, %44)
  %28 : f64[2] = tanh(%27)
  %29 : f64[2] = mul(%24, %28)
  %30 : f64[2] = add(%20, %29)  # "c[t]"
  %31 : f64[2] = tanh(%30)
  %32 : f64[2] = mul(%15, %31)  # "h[t]"
  return %32, %30, %32
}
%33 : (f64[2], f64[2], f64[T, 2], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%1, init=%2, init=%2, seq=%51, capture=%39)
%34 : f64[T, 2] = %33.2
return %34
loops: 4 steps, 47 -> 48 nodes, done
  1  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan h, c: trace c is no longer kept
  2  batch-dots [R]
      # several products that share an operand are one product; 4 products that share an operand
      scan h, c: it no longer reads Uc, Ui, Uf, Uo
      it reads U_ofic = concat((Uo, Uf, Ui, Uc), axis=1)
      - c[t] = f * c[t-1] + i * tanh(x[t] @ Wc + «h»[t-1] «@ Uc»)
      + c[t] = f * c[t-1] + i * tanh(x[t] @ Wc + «h_Uc»[t-1])
      - i = sigmoid(x[t] @ Wi + «h»[t-1] «@ Ui»)
      + i = sigmoid(x[t] @ Wi + «h_Ui»[t-1])
      … and 7 more
  3  batch-dots [R]
      # several products that share an operand are one product; 4 products that share an operand
      scan h, c: it no longer reads Wf, Wc, Wi, Wo
      it reads W_cifo = concat((Wc, Wi, Wf, Wo), axis=1)
      - o = sigmoid(«x»[t] «@ Wo» + h_Uo[t-1])
      + o = sigmoid(«x_Wo»[t] + h_Uo[t-1])
      - c[t] = f * c[t-1] + i * tanh(«x»[t] «@ Wc» + h_Uc[t-1])
      + c[t] = f * c[t-1] + i * tanh(«x_Wc»[t] + h_Uc[t-1])
      … and 7 more
  4  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop; one product for all
      # steps
      scan h, c: it no longer reads x[t] step by step
      it no longer reads W_cifo
      at each step it reads x_W_cifo[t], a row of x @ concat((Wc, Wi, Wf, Wo), axis=1)
      - x_Wo[t] = «%46»[6:]
      + x_Wo[t] = «x_W_cifo[t][»6:]
      - x_Wf[t] = «%46»[4:6]
      + x_Wf[t] = «x_W_cifo[t][»4:6]
      … and 3 more
fuse: 1 step, 48 -> 60 nodes, done
  5  inner [E]  in scan h, c
    5.1  fuse [E]    # one pass, tile by tile; 13 operators over f64[2]; 176 bytes not stored
        one kernel computes c[t], h[t] from x_Wi[t], h_Ui[t-1], x_Wc[t], h_Uc[t-1], c[t-1],
            h_Uf[t-1], x_Wf[t], x_Wo[t], h_Uo[t-1]
lower: 1 step, 60 -> 68 nodes, done
  6  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h, c runs as loop h, c, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize
f64[4, 2] =
[[ 0.0917181, -0.114888],
 [ 0.316041,  -0.121422],
 [ 0.142732,   0.123703],
 [ 0.138759,   0.307301]]
step  pass   rule          classes  error  ulp
1     loops  dead-results  [E]      0      0
2     loops  batch-dots    [R]      0      0
3     loops  batch-dots    [R]      0      0
4     loops  sequence-dot  [R]      0      0
5.1   fuse   fuse          [E]      0      0
5     fuse   inner         [E]      0      0
6     lower  lower-scan    [E]      0      0
7 steps, 7 compared: all within what their classes allow; largest error 0
loops: 1 step, 21 -> 20 nodes, done
  2  sequence-dot [R]
      # a product with each row of a sequence is one product before the loop; one product for all
      # steps
      scan g: it no longer reads X[t] step by step
      it no longer reads V
      at each step it reads z, a row of X @ V
      - z = X[t] @ V
