"""parquet.py OUT: writes the results of all parts to OUT/results.parquet with DuckDB."""
import sys

import duckdb

out = sys.argv[1]
# A URL that failed temporarily and was tried again has one line per attempt: the last one counts.
duckdb.sql(f"""
    COPY (
        SELECT * EXCLUDE (file, line) FROM (
            SELECT *, filename AS file, row_number() OVER () AS line
            FROM read_json('{out}/part-*.jsonl', format = 'newline_delimited',
                union_by_name = true, filename = true))
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY line DESC) = 1
    ) TO '{out}/results.parquet' (FORMAT parquet, COMPRESSION zstd)""")
print(duckdb.sql(f"""
    SELECT status, http, count(*) AS urls, sum(bytes) AS bytes
    FROM read_parquet('{out}/results.parquet') GROUP BY ALL ORDER BY ALL"""))
