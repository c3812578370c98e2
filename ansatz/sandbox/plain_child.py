"""Run in the child: set limits, read the program from stdin, run it as a console would.

Stands alone: it is started by path in an isolated interpreter and imports nothing of ours.
"""

import ast
import resource
import sys
import traceback


def limit(memory_mb: int, cpu_seconds: int, file_kb: int) -> None:
    for kind, bound in (
        (resource.RLIMIT_AS, memory_mb * 1024 * 1024),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, file_kb * 1024),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (bound, bound))


def run(source: str) -> None:
    """Execute the program; the value of a last bare expression is printed."""
    tree = ast.parse(source, "<code>")
    last = tree.body[-1] if tree.body else None
    names: dict[str, object] = {"__name__": "__main__"}
    if isinstance(last, ast.Expr):
        tree.body.pop()
        exec(compile(tree, "<code>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<code>", "eval"), names)
        if value is not None:
            print(value)
    else:
        exec(compile(tree, "<code>", "exec"), names)


if __name__ == "__main__":
    limit(*(int(argument) for argument in sys.argv[1:4]))
    try:
        run(sys.stdin.read())
    except SystemExit:
        raise
    except BaseException as failure:
        sys.stdout.flush()
        traceback.print_exception(
            failure.with_traceback(failure.__traceback__ and failure.__traceback__.tb_next)
        )
        sys.exit(1)
