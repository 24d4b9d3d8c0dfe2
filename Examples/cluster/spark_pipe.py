"""spark_pipe.py LIST OUT PARTS: rdd.pipe, the lines of each partition through fetch-part.sh.

Then all results as Parquet, OUT/results.parquet. LIST and OUT are on a file system that all
machines see; fetch-part.sh lies in the same place everywhere.
"""
import os
import sys
from itertools import chain
from pathlib import Path

from pyspark.sql import SparkSession

listed, out, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])
fetch_part = Path(__file__).resolve().with_name("fetch-part.sh")

spark = SparkSession.builder.appName("thumbnails").getOrCreate()
lines = spark.sparkContext.textFile(listed, parts)


def named(number, lines):
    """The name of the part stands before its lines."""
    return chain([f"part-{number:05d}"], lines)


# PySpark's pipe gives its programs nothing of the environment.
passed = ("PATH", "TERMGALLERY", "FETCH_OPTIONS", "SHARD_SIZE")
environment = {name: os.environ[name] for name in passed if name in os.environ}
done = lines.mapPartitionsWithIndex(named).pipe(f"{fetch_part} {out}", environment, checkCode=True)
print(*done.collect(), sep="\n")

results = spark.read.json(f"{out}/part-*.jsonl")
results.coalesce(1).write.mode("overwrite").parquet(f"{out}/results.parquet")
spark.stop()
