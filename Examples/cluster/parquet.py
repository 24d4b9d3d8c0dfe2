"""parquet.py OUT: the results of all parts as OUT/results.parquet, by DuckDB alone."""
import sys

import duckdb

out = sys.argv[1]
# An address that failed for a time and was tried again has a line for each time: the last one counts.
duckdb.sql(f"""
    COPY (
        SELECT * EXCLUDE (file, line) FROM (
            SELECT *, filename AS file, row_number() OVER () AS line
            FROM read_json('{out}/part-*.jsonl', format = 'newline_delimited',
                union_by_name = true, filename = true))
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY line DESC) = 1
    ) TO '{out}/results.parquet' (FORMAT parquet, COMPRESSION zstd)""")
print(duckdb.sql(f"""
    SELECT status, http, count(*) AS addresses, sum(bytes) AS bytes
    FROM read_parquet('{out}/results.parquet') GROUP BY ALL ORDER BY ALL"""))
