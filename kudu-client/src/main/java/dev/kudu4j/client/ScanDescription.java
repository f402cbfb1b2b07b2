package dev.kudu4j.client;

import dev.kudu4j.Schema;
import dev.kudu4j.client.stream.PreparedScan;

/**
 * The scan that a builder describes. Later calls of the builder do not change it.
 *
 * @param projection the columns that the user sees; the scan may read further columns after them
 */
record ScanDescription(
    KuduTable table,
    Schema projection,
    AsyncKuduScanner.ReadMode readMode,
    boolean inKeyOrder,
    PreparedScan scan) {}
