"""The programs of the bench: each is a Row, which says the same thing in Gradus, C, NumPy, Numba and PyTorch."""
import inspect


class Row:
    """One program.  The functions take the inputs and sizes that they name, and give a tuple of the outputs."""

    title = ""
    full = {}  # sizes that are timed
    tiny = {}  # sizes that are only compared
    inputs = staticmethod(lambda sizes, random: {})  # name -> array or number
    outputs = {}  # name -> dtype and sizes, as in "f8 N 2"; C finds a pointer of that name
    gradus = ""  # the program; {N} is a size
    results = ()  # the expressions that are timed, in the order of the outputs
    head = ""  # C before the function
    c = ""  # the body of a function: inputs and outputs are pointers, numbers are doubles, sizes are constants
    numpy = None
    numba = None  # a function for njit; by default that of NumPy
    torch = None
    theirs = ("NumPy", "Numba", "PyTorch")  # the engines, C aside, that it is written for
    tolerance = 1e-9
    differing = 0.0  # which share of the elements may differ: counts at a border, where rounding decides
    share = {}  # engine -> K: it runs on sizes with `shrinks` divided by K, and its time counts K times
    shrinks = ""
    why = ""  # what a ratio above the number to reach comes from
    history = ()  # time of ours / time of C before what made the row slow was removed, and after

    @classmethod
    def kind(cls):
        return cls.__module__.rsplit(".", maxsplit=1)[-1]

    @classmethod
    def name(cls):
        return "".join("-" + ch.lower() if ch.isupper() else ch for ch in cls.__name__).strip("-")


class Plain(Row):
    """A program that only C and NumPy have beside ours."""

    theirs = ("NumPy",)


def call(function, values):
    """The function on those of the values that it names, in its order."""
    return function(*[values[name] for name in inspect.signature(function).parameters])


def all_rows():
    from rows import arrays, chance, grids, kernels, learning, loops, nets, numerics, science, series, tables  # pylint: disable=import-outside-toplevel
    rows = []
    for module in (loops, arrays, nets, kernels, science, grids, chance, tables, learning, numerics, series):
        rows += [c for c in vars(module).values() if inspect.isclass(c) and issubclass(c, Row) and c.title]
    return rows
