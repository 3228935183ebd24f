"""Breaks by which a single record respells a key that others have, is in two groups, or makes a release fail."""

from tests.mutants.mutant import Mutant

LEAKS, BESIDE = "tests/tables/test_leaks.py -k", "tests/tables/engines/test_duckdb.py"
SPARK = "tests/tables/test_spark_text.py -k"

MUTANTS = [
    Mutant(
        "whoever comes first lends the sign of their zero to all",
        "tables/groups/key_parts.py",
        "return float.__float__(part) + 0.0",
        "return float.__float__(part)",
        f"{LEAKS} zero",
    ),
    Mutant(
        "whoever comes first lends their time zone to all",
        "tables/groups/key_parts.py",
        "is None else plain.astimezone(UTC)",
        "is None else plain",
        f"{LEAKS} order_of_rows",
    ),
    Mutant(
        "whoever comes first lends their type to all",
        "tables/groups/key_parts.py",
        "    plain = datetime.combine(datetime.date(part), datetime.timetz(part))\n",
        "    plain = part\n",
        f"{LEAKS} order_of_rows",
    ),
    Mutant(
        "a number that cannot be written fails the release",
        "tables/groups/key_counts.py",
        "return None if isinstance(part, int) and not -(2**63) <= part < 2**64 else part",
        "return part",
        f"{LEAKS} 64_bits",
    ),
    Mutant(
        "an hour that a clock had twice is in no group",
        "tables/groups/key_indices.py",
        "plain_part(record) if isinstance(record, datetime) else record",
        "record",
        f"{LEAKS} two_hours",
    ),
    Mutant(
        "keys are made objects, which a library may fail to do",
        "tables/groups/key_counts.py",
        'if kind not in ("date", "time", "zoned"):',
        "if kind:",
        f"{LEAKS} beyond_the_calendar",
    ),
    Mutant(
        "the text of a moment names a person",
        "tables/engines/polars.py",
        "return frame.with_columns(nw.col(column).cast(nw.Int64))",
        "return frame",
        f"{LEAKS} beyond_the_calendar",
    ),
    Mutant(
        "dates are compared as text",
        "tables/engines/key_counts.py",
        '    if kind == "date":\n        return days_since_1970(dialect, frame, key)\n',
        "",
        f"{LEAKS} beyond_the_calendar",
    ),
    Mutant(
        "an engine compares text by the rules of a language",
        "tables/engines/duckdb.py",
        "TRY(decode(encode({_quoted(column)}))) COLLATE C",
        "TRY(decode(encode({_quoted(column)})))",
        f"{LEAKS} byte_by_byte",
    ),
    Mutant(
        "text in a wrong encoding fails the release",
        "tables/engines/duckdb.py",
        "TRY(decode(encode({_quoted(column)}))) COLLATE C",
        "{_quoted(column)} COLLATE C",
        f"{LEAKS} wrong_encoding",
    ),
    Mutant(
        "a row is joined with two keys that are equal",
        "tables/engines/groups.py",
        "if len(set(zip(*declared.values(), strict=True))) < len(keys):",
        "if False:",
        f"{LEAKS} two_keys",
    ),
    Mutant(
        "a table of the user's is taken for ours",
        "tables/engines/duckdb.py",
        'name = f"noisewise_{fresh_salt()}"',
        'name = "columns"',
        BESIDE,
    ),
    Mutant(
        "names stay forbidden where the user forbade them",
        "tables/engines/duckdb.py",
        '            _on_connection(relation, "SET python_enable_replacements = true")\n',
        "            pass\n",
        BESIDE,
    ),
    Mutant(
        "what the user's own query raises is shown before the debit",
        "tables/engines/column.py",
        "    except BaseException:  # a panic of an engine is no Exception\n        pass\n",
        "    except BaseException:\n        raise\n",
        f"{LEAKS} shows_no_record",
    ),
    Mutant(
        "a coin that is nearly certain overflows",
        "releases/key_selection.py",
        "min(max(_whole(each.upper().ceil()) - 1, 0), WORDS - 1)",
        "max(_whole(each.upper().ceil()) - 1, 0)",
        f"{LEAKS} first_bits",
    ),
    Mutant(
        "answers of several types are lost after they were paid for",
        "results/grouped_release.py",
        "    try:\n        return like(columns)\n    except Exception:\n        pass\n",
        "    return like(columns)\n",
        f"{LEAKS} no_column_holds",
    ),
    Mutant(
        "a clock that goes back makes one person of two",
        "tables/engines/spark.py",
        "return self.ticks(frame, column, kind)[0]",
        "return frame",
        f"{SPARK} two_hours",
    ),
    Mutant(
        "Spark compares text by the rules of a language",
        "tables/engines/spark.py",
        'return declared if "collate" in declared else ""',
        'return ""',
        f"{SPARK} refused",
    ),
    Mutant(
        "text that Spark cannot hand out fails the release",
        "tables/engines/spark.py",
        "_functions(frame).try_validate_utf8(column)",
        "_functions(frame).col(column)",
        f"{SPARK} wrong_encoding",
    ),
]
