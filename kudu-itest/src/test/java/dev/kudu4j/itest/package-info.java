/** Tests of running clusters, through the published clients and ours. */
package dev.kudu4j.itest;
