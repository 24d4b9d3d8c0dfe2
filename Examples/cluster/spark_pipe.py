"""spark_pipe.py LIST OUT PARTS: sends the lines of each partition through fetch-part.sh with rdd.pipe.

Then writes all results to OUT/results.parquet. LIST and OUT are on a file system that all machines can
read; fetch-part.sh has the same path on all machines.
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
    """Puts the name of the part before its lines."""
    return chain([f"part-{number:05d}"], lines)


# PySpark's pipe does not pass the environment to its programs.
passed = ("PATH", "TERMGALLERY", "FETCH_OPTIONS", "SHARD_SIZE")
environment = {name: os.environ[name] for name in passed if name in os.environ}
done = lines.mapPartitionsWithIndex(named).pipe(f"{fetch_part} {out}", environment, checkCode=True)
print(*done.collect(), sep="\n")

results = spark.read.json(f"{out}/part-*.jsonl")
results.coalesce(1).write.mode("overwrite").parquet(f"{out}/results.parquet")
spark.stop()
