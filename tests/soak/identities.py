#!/usr/bin/env python3
"""identities.py [FAMILY..] [--each N] [--seed N] [--binary FILE] [-v]: what share of small true identities the program knows.

No list: terms are enumerated from the smallest on, the program computes them on random inputs without any pass but
`inline`, and two terms with the same values everywhere are an identity. Only the first term of a value becomes an
operand of larger ones, so that no identity repeats a smaller one. Of each family as many as --each says are drawn, by
a fixed seed, and of each it is asked whether the larger term ends with no more nodes than the smaller one, and whether
`:equal` proves them equal.

Values at nan and infinity have to agree as well: what is true of numbers only (x - x is 0) is not asked for. A pair
that `:equal` refutes, with an input, was none: it agreed by chance.

Exits 1 if a share is below its floor."""
import argparse
import collections
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = os.path.join(HERE, '..', '..', 'build', 'gradus')
DIGITS = 9          # to which values have to agree
BATCH = 400         # terms that one process computes
LEVEL = 1200        # terms of one size that are tried

# How many of the usual draw end as small, and are proved; what has been reached must not be lost.
FLOORS = {'functions': (50, 51), 'arrays': (48, 48), 'integers': (51, 52), 'derivatives': (34, 35), 'loops': (36, 41)}


def run(binary, text):
    p = subprocess.run([binary, '--no-init', '--json'], input=text, capture_output=True, text=True, timeout=120)
    assert p.returncode in (0, 1), (p.returncode, p.stderr, text)
    return [json.loads(line) for line in p.stdout.splitlines() if line.strip()]


# ---- values of terms ----

def flat(value):
    if isinstance(value, list):
        return [x for v in value for x in flat(v)]
    return [value]


def rounded(x):
    if not isinstance(x, float):
        return x
    return 0.0 if x == 0 or abs(x) < 1e-13 else float('%.*g' % (DIGITS, x))


def mark(answer):
    """What a value is recognised by; None: it failed, or is no array."""
    if answer['kind'] != 'value' or 'value' not in answer or answer.get('dtype') is None:
        return None
    return answer['dtype'], tuple(answer['shape']), tuple(rounded(x) for x in flat(answer['value']))


def values(binary, inputs, terms):
    """For each term its value at each of the inputs; None where it fails."""
    def some(texts):
        rows = []
        for given in inputs:
            out = run(binary, ':set passes inline differentiate\n' + given + '\n' + '\n'.join(texts) + '\n')
            out = [o for o in out if o['kind'] in ('value', 'error')]
            assert len(out) == len(texts), (given, len(out), len(texts))
            rows.append([mark(o) for o in out])
        return [None if None in row else row for row in map(list, zip(*rows))]
    parts = [terms[i:i + BATCH] for i in range(0, len(terms), BATCH)]
    with ThreadPoolExecutor(2) as pool:
        return [row for part in pool.map(some, parts) for row in part]


def spread(key):
    """The same number everywhere is a number, whatever its shape."""
    one = [m for m in key if len(set(m[2])) == 1]
    if len(one) == len(key) and len({m[2][0] for m in key}) == 1:
        return (key[0][0], key[0][2][0])
    return key


# ---- terms ----

class Term:
    def __init__(self, text, size, atom):
        self.text, self.size, self.atom = text, size, atom

    def inside(self):
        return self.text if self.atom else '(' + self.text + ')'


def filled(form, operands):
    text, atom = form[0], form[0][0].isalpha() and form[0].endswith(')') and not form[0].startswith('_')
    parts = text.split('_')
    bare = '(' in text and atom
    out = parts[0]
    for part, operand in zip(parts[1:], operands):
        fit = bare and out[-1] in '(, ' and (part[:1] in (',', ')'))
        out += (operand.text if fit else operand.inside()) + part
    return Term(out, 1 + sum(o.size for o in operands), atom)


def grown(forms, kept, size, draw):
    """Terms of that size over the terms kept; forms are (text, commutes)."""
    out = []
    for form in forms:
        arity = form[0].count('_')
        for sizes in itertools.product(range(1, size), repeat=arity):
            if sum(sizes) != size - 1:
                continue
            for operands in itertools.product(*(range(len(kept[s])) for s in sizes)):
                chosen = list(zip(sizes, operands))
                if form[1] and chosen != sorted(chosen):
                    continue
                out.append((form, chosen))
    draw.shuffle(out)
    return [filled(form, [kept[s][i] for s, i in chosen]) for form, chosen in out[:LEVEL]]


class Family:
    """The terms of a family by what they are worth: smallest[value] is the first of them."""

    def __init__(self, binary, name, declared, inputs, leaves, forms, most, seed, loose=False):
        self.binary, self.name, self.declared, self.inputs, self.loose = binary, name, declared, inputs, loose
        self.draw = random.Random(seed * 1000 + sum(map(ord, name)))
        self.smallest, self.pairs, self.kept = {}, [], collections.defaultdict(list)
        self.take([Term(x, 1, True) for x in leaves], 1)
        for size in range(2, most + 1):
            self.take(grown(forms, self.kept, size, self.draw), size)

    def key(self, row):
        edge = row[-1]
        row = row[:-1]
        if any(all(isinstance(x, str) for x in m[2]) or any(isinstance(x, float) and abs(x) > 1e12 for x in m[2])
               for m in row):
            return None, None
        return (spread(row) if self.loose else tuple(row)), edge

    def take(self, terms, size, keep=True):
        for term, row in zip(terms, values(self.binary, self.inputs, [t.text for t in terms])):
            key, edge = self.key(row) if row else (None, None)
            if key is None:
                continue
            key = json.dumps(key)
            if key not in self.smallest:
                if keep:
                    self.smallest[key] = (term, edge)
                    self.kept[size].append(term)
                continue
            small, at_edge = self.smallest[key]
            same = [str(x) in ('nan',) for x in edge[2]] == [str(x) in ('nan',) for x in at_edge[2]]
            if same or (self.loose and len(at_edge[2]) == 1 and 'nan' not in edge[2]):
                self.pairs.append((small, term))


# ---- families ----

def numbers(draw, count, low=-2.0, high=2.0):
    return '[' + ', '.join('%.6f' % draw.uniform(low, high) for _ in range(count)) + ']'


def matrix(draw, rows, columns):
    return '[' + ', '.join(numbers(draw, columns) for _ in range(rows)) + ']'


SCALAR_FORMS = [(f, True) for f in ('_ + _', '_ * _', 'maximum(_, _)', 'minimum(_, _)')] + \
    [(f, False) for f in ('_ - _', '_ / _', '-_', 'exp(_)', 'log(_)', 'sqrt(_)', 'tanh(_)', 'sigmoid(_)', 'abs(_)',
                          '_ ^ 2', 'log1p(_)', 'expm1(_)', 'softplus(_)', 'relu(_)', 'sin(_)', 'cos(_)', 'sign(_)')]
EDGE = '[nan, inf, -inf, nan, 1.5, -1.5, inf, -inf]'
EDGE_Y = '[0.5, 0.5, -0.5, nan, nan, inf, 1.5, 2.5]'


def functions(binary, seed, most=5):
    draw = random.Random(seed)
    inputs = ['x := %s\ny := %s' % (numbers(draw, 16, -high, high), numbers(draw, 16, -high, high)) for high in (2, 6)]
    return Family(binary, 'functions', 'x : f64\ny : f64', inputs + ['x := %s\ny := %s' % (EDGE, EDGE_Y)],
                  ['x', 'y', '1.0', '2.0'], SCALAR_FORMS, most, seed, loose=True)


ARRAY_FORMS = [(f, True) for f in ('_ + _', '_ * _')] + \
    [(f, False) for f in ('_ - _', '-_', 'exp(_)', '2 * _', 'sum(_)', 'sum(_, axis=0)', 'sum(_, axis=1)', 'mean(_)',
                          'max(_)', 'max(_, axis=0)', "_'", 'diag(_)', 'trace(_)', '_ @ _', 'outer(_, _)', '_[1:]', '_[:2]',
                          '_[::-1]', '_[0]', '_[1]', '_[-1]', '_[:, None]', '_[None, :]', '_[:, 0]', 'concat((_, _))',
                          'stack((_, _))', 'pad(_, 1)', '_[[1, 0]]', '(_ with [0] = 5.0)', '(_ with [1] += 1.0)',
                          'cumsum(_)', 'cummax(_)', 'broadcast_to(_, (2, n))', 'reshape(_, (1, n))', 'reshape(_, (n,))', 'sort(_)',
                          'softmax(_)')]


def arrays(binary, seed):
    draw = random.Random(seed)
    inputs = ['n = %d\nx := %s\ny := %s\nA := %s\nS := %s' %
              (n, numbers(draw, n), numbers(draw, n), matrix(draw, m, n), matrix(draw, n, n)) for n, m in [(4, 3), (5, 3), (6, 3)] * 3]
    inputs = [i + '\nm = 3' for i in inputs]
    return Family(binary, 'arrays', 'x : f64[n]\ny : f64[n]\nA : f64[m, n]\nS : f64[n, n]', inputs, ['x', 'y', 'A', 'S'],
                  ARRAY_FORMS, 4, seed)


INT_FORMS = [(f, True) for f in ('_ + _', '_ * _', 'maximum(_, _)', 'minimum(_, _)', 'bitwise_and(_, _)', 'bitwise_or(_, _)',
                                 'bitwise_xor(_, _)', '_ and _', '_ or _', '_ == _', '_ != _')] + \
    [(f, False) for f in ('_ - _', '-_', 'abs(_)', '_ // 2', '_ % 2', '_ // 4', '_ % 4', '_ << 1', '_ >> 1', 'not _', '_ < _',
                          '_ <= _', 'where(_, _, _)', 'i64(_)', 'bitwise_not(_)', 'sign(_)')]


def integers(binary, seed):
    draw = random.Random(seed)

    def given(low, high, count=12):
        ints = lambda: '[' + ', '.join(str(draw.randint(low, high)) for _ in range(count)) + ']'
        truths = lambda: '[' + ', '.join(draw.choice(('true', 'false')) for _ in range(count)) + ']'
        return 'k := %s\nl := %s\np := %s\nq := %s' % (ints(), ints(), truths(), truths())
    return Family(binary, 'integers', 'k : i64\nl : i64\np : bool\nq : bool',
                  [given(-5, 5), given(-60, 60), given(-2, 2), given(-2 ** 63, 2 ** 63 - 1)],
                  ['k', 'l', 'p', 'q', '0', '1', '4'], INT_FORMS, 5, seed, loose=True)


DERIVATIVES = ['grad(sum(%s), x)', 'grad(sum((%s) * y), x)', 'grad(prod(%s), x)', 'grad(max(%s), x)', 'grad(logsumexp(%s), x)',
               'grad(grad(sum(%s), x) @ y, x)', 'jacobian(%s, x) @ y', 'jvp(%s, x, y)']


def derivatives(binary, seed):
    """What the vectors of a family come to, differentiated, against its terms."""
    draw = random.Random(seed)
    inputs = ['x := %s\ny := %s' % (numbers(draw, 4, low, 2), numbers(draw, 4, low, 2)) for low in (-2, 0.1, 0.1)]
    forms = SCALAR_FORMS + [('sum(_)', False), ('cumsum(_)', False), ('_[::-1]', False), ('softmax(_)', False), ('_ @ _', True)]
    family = Family(binary, 'derivatives', 'x : f64[n]\ny : f64[n]', inputs, ['x', 'y', '1.0', '2.0', 'ones_like(x)'], forms, 4, seed)
    of = [t for size in (2, 3, 4) for t in family.kept[size] if 'x' in t.text]
    family.pairs = []
    terms = [Term(d % f.text, f.size + 2, True) for d in DERIVATIVES for f in draw.sample(of, min(len(of), 150))]
    family.take(terms, 9, keep=False)
    return family


LOOPS = ['(scan t over x, y from s = %s { s[t] = %s }).final', '(scan t over x, y from s = %s { s[t] = %s })']
LOOP_FORMS = [(f, True) for f in ('_ + _', '_ * _', 'maximum(_, _)', 'minimum(_, _)', 'logaddexp(_, _)')] + \
    [(f, False) for f in ('_ - _', '_ / _', '-_', 'exp(_)', 'tanh(_)', 'abs(_)', '_ ^ 2', 'where(_ > 0, _, _)')]
CLOSED_FORMS = [(f, True) for f in ('_ + _', '_ * _', 'maximum(_, _)', 'minimum(_, _)')] + \
    [(f, False) for f in ('_ - _', '_ / _', '-_', 'exp(_)', 'log(_)', 'tanh(_)', 'abs(_)', '_ ^ 2', 'sum(_)', 'prod(_)', 'cumsum(_)',
                          'cumprod(_)', 'cummax(_)', '-cummax(-_)', 'logsumexp(_)', 'f64(size(_))', '_ @ _')]


def loops(binary, seed):
    """Recurrences in one state against terms without a loop."""
    draw = random.Random(seed)
    inputs = ['x := %s\ny := %s' % (numbers(draw, n), numbers(draw, n)) for n in (1, 4, 6, 0)]
    inputs = [i.replace('[]', 'zeros(0)') for i in inputs]
    family = Family(binary, 'loops', 'x : f64[n]\ny : f64[n]', inputs, ['x', 'y', '1.0', '2.0', '0.0'], CLOSED_FORMS, 4, seed)
    family.pairs = []
    kept = collections.defaultdict(list, {1: [Term(x, 1, True) for x in ('s[t-1]', 'x[t]', 'y[t]', '1.0', '0.5')]})
    bodies = []
    for size in (2, 3, 4, 5):
        kept[size] = grown(LOOP_FORMS, kept, size, draw)[:400]
        bodies += [t for t in kept[size] if 's[t-1]' in t.text and ('x[t]' in t.text or 'y[t]' in t.text)]
    bodies = draw.sample(bodies, min(len(bodies), 200))
    for wrap in LOOPS:
        terms = [Term(wrap % (init, b.text), b.size + 3, False) for init in ('0.0', '1.0', '-inf') for b in bodies]
        family.take(terms, 9, keep=False)
    return family


FAMILIES = {f.__name__: f for f in (functions, arrays, integers, derivatives, loops)}


# ---- what the program says of them ----

def nodes(answer):
    return next(p['nodes_after'] for p in answer['data']['passes'] if p['name'] == 'specialize')


def asked(binary, declared, small, large):
    if re.search(r'[\[:]-?\d', small + large):      # places that a shorter array would not have
        declared = re.sub(r'\bn\b', '5', re.sub(r'\bm\b', '3', declared))
        small, large = (re.sub(r'\bn\b', '5', t) for t in (small, large))
    text = declared + '\n:passes %s\n:passes %s\n:equal %s, %s\n' % (small, large, large, small)
    try:
        out = run(binary, text)
    except subprocess.TimeoutExpired:
        return None, None, 'timeout'
    passes = [o for o in out if o.get('command') == 'passes']
    equal = [o for o in out if o.get('command') == 'equal']
    if len(passes) != 2:
        return None, None, 'error: ' + str([o.get('message') for o in out if o['kind'] == 'error'])[:120]
    answer = equal[0]['data']['answer'] if equal else 'error: ' + str([o.get('message') for o in out if o['kind'] == 'error'])[:120]
    if answer == 'different':
        answer += ': ' + equal[0]['text'].splitlines()[0]
    return nodes(passes[0]), nodes(passes[1]), answer


def drawn(family, each):
    """Few of one value: an identity that has many relatives must not crowd out the others."""
    family.draw.shuffle(family.pairs)
    count, out = collections.Counter(), []
    for small, large in family.pairs:
        if re.search(r'\b[a-zA-Z]\b', large.text) and small.text != large.text and count[small.text] < 3 and len(out) < each:
            count[small.text] += 1
            out.append((small, large))
    return out


def measured(family, each, verbose):
    pairs = drawn(family, each)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda p: asked(family.binary, family.declared, p[0].text, p[1].text), pairs))
    count = small = proved = 0
    for (less, more), (a, b, answer) in zip(pairs, answers):
        if answer.startswith('different'):
            continue
        held = a is not None and b <= a
        count += 1
        small += held
        proved += answer == 'equal'
        if verbose and not (held and answer == 'equal'):
            print('  %-5s %s>%s %s: %s  =>  %s' % ('ok' if held else 'SHORT', b, a, answer, more.text, less.text))
    print('%-12s %d of %d end as small, %d are proved' % (family.name, small, count, proved), flush=True)
    return count, small, proved


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('families', nargs='*', choices=[[], *FAMILIES])
    parser.add_argument('--each', type=int, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--binary', default=BINARY)
    parser.add_argument('-v', action='store_true')
    args = parser.parse_args()
    low = []
    for name in args.families or FAMILIES:
        n, small, proved = measured(FAMILIES[name](args.binary, args.seed), args.each, args.v)
        floor = FLOORS.get(name)
        if floor and args.each == 60 and args.seed == 1 and (small < floor[0] or proved < floor[1]):
            low.append('%s: below %d and %d of %d' % (name, *floor, n))
    for line in low:
        print(line)
    print('%d passed, %d failed' % (len(args.families or FAMILIES) - len(low), len(low)))
    sys.exit(bool(low))


if __name__ == "__main__":
    main()
