"""spark_pandas.py LIST OUT PARTS: uses mapInPandas, with one row of results per URL.

Spark transfers only the number of each part. Each machine extracts its part from LIST, which all machines
can read, and returns its results as a table, which is written as Parquet.
"""
import subprocess
import sys
from pathlib import Path

import pandas
from pyspark.sql import SparkSession

listed, out, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])
fetch_part = Path(__file__).resolve().with_name("fetch-part.sh")
columns = ["id", "url", "status", "bytes", "width", "height", "shard", "key"]


def fetch(batches):
    for batch in batches:
        for number in batch["id"]:
            name = f"part-{number:05d}"
            split = ["split", "-n", f"l/{number}/{parts}", listed]
            with subprocess.Popen(split, stdout=subprocess.PIPE) as lines:
                subprocess.run([fetch_part, out, name], stdin=lines.stdout, check=True,
                               stdout=subprocess.DEVNULL)
            results = pandas.read_json(f"{out}/{name}.jsonl", lines=True, dtype=False)
            results = results.reindex(columns=columns)
            for column in ("bytes", "width", "height"):
                results[column] = results[column].astype("Int64")
            yield results


spark = SparkSession.builder.appName("thumbnails").getOrCreate()
schema = "id long, url string, status string, bytes long, width long, height long, " \
    "shard string, key string"
results = spark.range(1, parts + 1, 1, parts).mapInPandas(fetch, schema)
results.write.mode("overwrite").parquet(f"{out}/results.parquet")
print(spark.read.parquet(f"{out}/results.parquet").groupBy("status").count().toPandas())
spark.stop()
