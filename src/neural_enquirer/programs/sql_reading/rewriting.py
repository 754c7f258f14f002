"""SQL in fewer words: what can be written in several ways is written in one before it is read."""

from typing import Final

from sqlglot import exp

from neural_enquirer.programs.sql_reading.scope import has

AGGREGATES: Final[tuple[type[exp.Expr], ...]] = (exp.AggFunc, exp.Filter)
_YES: Final = ("yes", "true")
_NO: Final = ("no", "false")
_SWAPPED: Final[dict[type[exp.Expr], type[exp.Expr]]] = {
    exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
    exp.LT: exp.GT,
    exp.GT: exp.LT,
    exp.LTE: exp.GTE,
    exp.GTE: exp.LTE,
}
_DATE_PARTS: Final = {"year": exp.Year, "month": exp.Month, "day": exp.Day}


def plain(tree: exp.Expr) -> exp.Expr:
    """The same SQL without brackets, CASE within aggregates, and other second ways of saying things."""
    tree = tree.copy()
    for node in reversed(list(tree.dfs())):  # what is within comes first
        node.replace(_plain(node))
    return tree


def _plain(node: exp.Expr) -> exp.Expr:
    """One node in the one way of writing it; what is within is plain already."""
    match node:
        case exp.Paren():
            return node.this  # type: ignore[no-any-return]
        case exp.Like() | exp.ILike() | exp.Is() if node.args.get("negate"):
            same = node.copy()
            same.set("negate", None)
            return exp.Not(this=same)
        case exp.AggFunc() if isinstance(node.this, exp.Case):
            return _filtered(node, node.this) or node
        case exp.Count() if isinstance(node.this, exp.Distinct):
            case = node.this.expressions[0]
            return (_filtered(node, case) if isinstance(case, exp.Case) else None) or node
        case exp.Case():
            return _condition(node) or node
        case exp.Mul():  # by one
            sides = ((node.this, node.expression), (node.expression, node.this))
            return next((other for one, other in sides if _is(one, 1)), node)
        case exp.Extract() | exp.Anonymous() | exp.DateDiff():
            return _date_part(node)
        case exp.Cast() | exp.TryCast() | exp.Year() | exp.Month() | exp.Day():
            return _within(node)
        case exp.EQ() | exp.Like() if isinstance(node.this, exp.Lower):
            return _without_case(node)
        case exp.Exists() if isinstance(node.this, exp.Select):
            count = node.this.select(exp.Count(this=exp.Star()), append=False)
            return exp.GT(this=exp.Subquery(this=count), expression=exp.Literal.number(0))
    if type(node) in _SWAPPED and _is_backward(node):
        return _SWAPPED[type(node)](this=node.expression, expression=node.this)
    return node


def _filtered(aggregate: exp.Expr, case: exp.Case) -> exp.Expr | None:
    """An aggregate of CASE WHEN … THEN x ELSE 0 END, as an aggregate of x in some of the rows."""
    branches, otherwise = case.args["ifs"], case.args.get("default")
    if len(branches) != 1 or case.this is not None:
        return None
    condition, value = branches[0].this, branches[0].args["true"]
    to_nothing = otherwise is None or isinstance(otherwise, exp.Null)
    to_zero = otherwise is not None and _is(otherwise, 0)
    one = _is(value, 1)
    rows = exp.Count(this=exp.Star())
    if isinstance(aggregate, exp.Avg) and one and to_zero:
        return exp.Div(this=_filter(rows, condition), expression=rows.copy())
    if isinstance(aggregate, exp.Sum) and (to_zero or to_nothing):
        return _filter(rows if one else exp.Sum(this=value), condition)
    if not to_nothing:
        return None
    if isinstance(aggregate.this, exp.Distinct):
        return _filter(exp.Count(this=exp.Distinct(expressions=[value])), condition)
    if isinstance(aggregate, exp.Count) and isinstance(value, exp.Literal):
        return _filter(rows, condition)
    return _filter(type(aggregate)(this=value), condition)


def _filter(aggregate: exp.Expr, condition: exp.Expr) -> exp.Filter:
    return exp.Filter(this=aggregate, expression=exp.Where(this=condition))


def _condition(case: exp.Case) -> exp.Expr | None:
    """What CASE WHEN … THEN 'yes' ELSE 'no' END asks."""
    branches, otherwise = case.args["ifs"], case.args.get("default")
    if len(branches) != 1 or case.this is not None or otherwise is None:
        return None
    words = [branches[0].args["true"].name.casefold(), otherwise.name.casefold()]
    return branches[0].this if words[0] in _YES and words[1] in _NO else None


def _is_backward(comparison: exp.Expr) -> bool:
    """Whether what is asked about stands on the right."""
    left, right = comparison.this, comparison.expression
    if isinstance(left, exp.Literal):
        return not isinstance(right, exp.Literal)
    return has(right, exp.Column) and not has(left, exp.Column)


def _date_part(node: exp.Expr) -> exp.Expr:
    """EXTRACT and date_part as year(), month() and day(); date_diff as a difference."""
    if isinstance(node, exp.DateDiff):
        unit = node.text("unit").casefold()
        if unit == "day":
            return exp.Sub(this=node.this, expression=node.expression)
        if unit == "year":
            years = (_within(exp.Year(this=side)) for side in (node.this, node.expression))
            return exp.Sub(this=next(years), expression=next(years))
        return node
    if isinstance(node, exp.Extract):
        part = _DATE_PARTS.get(node.name.casefold())
        return part(this=node.expression) if part else node
    if node.name.casefold() in ("date_part", "datepart") and len(node.expressions) == 2:
        part = _DATE_PARTS.get(node.expressions[0].name.casefold())
        return part(this=node.expressions[1]) if part else node
    return node


def _within(node: exp.Expr) -> exp.Expr:
    """A function of what a SELECT gives, as a SELECT of what the function gives."""
    inner = node.this
    if not isinstance(inner, exp.Subquery) or not isinstance(inner.this, exp.Select):
        return node
    if len(inner.this.expressions) != 1 or has(inner.this.expressions[0], *AGGREGATES):
        return node
    outer = node.copy()
    outer.set("this", inner.this.expressions[0].unalias())
    return exp.Subquery(this=inner.this.select(outer, append=False))


def _without_case(node: exp.Expr) -> exp.Expr:
    """A comparison of lower(x), as one that overlooks case."""
    pattern, text = node.expression, node.expression.name
    literal = isinstance(pattern, exp.Literal) and pattern.is_string and text == text.lower()
    if not literal or (isinstance(node, exp.EQ) and set(text) & set("%_")):
        return node
    return exp.ILike(this=node.this.this, expression=pattern)


def _is(node: exp.Expr, number: int) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and float(node.this) == number
