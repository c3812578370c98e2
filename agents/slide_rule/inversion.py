"""Solve a formula for one of its inputs, and write expression trees as text."""

from __future__ import annotations

from dataclasses import replace

from ansatz.agents.slide_rule.formulas import KnownFormula
from ansatz.quantities.tree import INVERSES, Name, Node, Numeral, Tree, walk_tree

_PRECEDENCE = {"+": 1, "-": 1, "neg": 1, "*": 2, "/": 2, "**": 3}
_FUNCTIONS = {"exp": "log", "log": "exp", **INVERSES, **{inverse: name for name, inverse in INVERSES.items()}}


def solve_formula(formula: KnownFormula, name: str) -> KnownFormula | None:
    """Return the formula solved for an input that occurs once in it; None if that is not possible."""
    symbol = next(each for each in formula.inputs if each.name == name)
    if formula.tree is None or sum(node == Name(name) for node in walk_tree(formula.tree)) != 1:
        return None
    tree = _isolate(formula.tree, Name(name), Name(formula.output.name))
    if tree is None:
        return None
    others = tuple(each for each in formula.inputs if each.name != name)
    return replace(
        formula,
        title=formula.title,
        output=symbol,
        text=format_tree(tree),
        inputs=(*others, formula.output),
        tree=tree,
        solved_for=name,
    )


def _isolate(tree: Tree, wanted: Name, value: Tree) -> Tree | None:
    """Return the tree of `wanted` if `tree` has a value; roots are positive."""
    while tree != wanted:
        if not isinstance(tree, Node):
            return None
        place = next(place for place, part in enumerate(tree.parts) if wanted in walk_tree(part))
        found = _undo(tree, place, value)
        if found is None:
            return None
        tree, value = tree.parts[place], found
    return value


def _undo(node: Node, place: int, value: Tree) -> Tree | None:
    """Return what operand `place` has to be for a node to have a value."""
    other = node.parts[1 - place] if len(node.parts) == 2 else None
    match node.operator:
        case "neg":
            return Node("neg", (value,))
        case "sqrt":
            return Node("**", (value, Numeral(2.0, 1)))
        case operator if operator in _FUNCTIONS:
            return Node(_FUNCTIONS[operator], (value,))
    if other is None:
        return None
    match node.operator, place:
        case "+", _:
            return Node("-", (value, other))
        case "-", 0:
            return Node("+", (value, other))
        case "-", 1:
            return Node("-", (other, value))
        case "*", _:
            return Node("/", (value, other))
        case "/", 0:
            return Node("*", (value, other))
        case "/", 1:
            return Node("/", (other, value))
        case "**", 0 if isinstance(other, Numeral) and other.value == 2:
            return Node("sqrt", (value,))
        case "**", 0:
            return Node("**", (value, Node("/", (Numeral(1.0, 1), other))))
        case "**", 1:
            return Node("/", (Node("log", (value,)), Node("log", (other,))))
    return None


def format_tree(tree: Tree, least: int = 0) -> str:
    """Write a tree as on reference sheets, in brackets if its operator binds less than `least`."""
    if isinstance(tree, Numeral):
        return f"{tree.value:.12g}"
    if isinstance(tree, Name):
        return tree.name
    if tree.operator == "pi":
        return "pi"
    own = _PRECEDENCE.get(tree.operator)
    if own is None:
        return f"{tree.operator}({', '.join(map(format_tree, tree.parts))})"
    if tree.operator == "neg":
        text = f"-{format_tree(tree.parts[0], 2)}"
    else:
        left, right = tree.parts
        is_power = tree.operator == "**"
        sign = tree.operator if is_power or own == 2 else f" {tree.operator} "
        first = format_tree(left, own + is_power)
        text = f"{first}{sign}{format_tree(right, own + (tree.operator in '-/' or is_power))}"
    return f"({text})" if own < least else text
