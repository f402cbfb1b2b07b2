/** The job of docs/mapreduce.md. */
package dev.kudu4j.mapreduce.example;
