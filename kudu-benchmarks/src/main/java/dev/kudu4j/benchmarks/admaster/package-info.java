/**
 * {@code kudu bench admaster}: reads of generated events of an advertisement monitor, after the
 * workload AdMaster of the paper on secondary indexes of HBase. Start with {@link
 * dev.kudu4j.benchmarks.admaster.AdMasterCommand}; the runs and reports are those of {@code
 * selection}.
 */
package dev.kudu4j.benchmarks.admaster;
