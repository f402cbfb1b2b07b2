/** The flights of 2013 from New York, their planes, airports and weather. */
package dev.kudu4j.spark.flights;
