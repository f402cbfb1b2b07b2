package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.scan.BatchDecoder;
import dev.kudu4j.client.scan.ScanQuery;
import dev.kudu4j.client.scan.ScanSplitter;
import dev.kudu4j.client.scan.TableScan;

/**
 * What a builder describes, checked and for good: later calls of the builder do not change it.
 *
 * @param projection the columns that the user gets; the first ones of those that are read
 * @param prefetchFirst whether fetching ahead begins with the first batch
 * @param keepAlivePeriodMillis 0 to let servers forget a scanner that rests
 */
record ScanPlan(
    AsyncKuduClient client,
    KuduTable table,
    Schema projection,
    ScanQuery query,
    AsyncKuduScanner.ReadMode readMode,
    boolean inKeyOrder,
    boolean prefetchFirst,
    long keepAlivePeriodMillis) {

  /** The batches of the whole scan or of a part of it. */
  <B> BatchStream<B> batches(ScanQuery part, BatchDecoder<B> decoder) {
    return new BatchStream<>(
        client.cluster(), scan(part, decoder), decoder, prefetchFirst, keepAlivePeriodMillis);
  }

  /** Finds the tablets of the scan, and cuts it into pieces. */
  ScanSplitter splitter(Deadline deadline) {
    return new ScanSplitter(client.cluster(), table.tablets(), query, deadline);
  }

  <B> TableScan<B> scan(ScanQuery part, BatchDecoder<B> decoder) {
    return new TableScan<>(client.cluster(), table.tablets(), part, decoder);
  }
}
