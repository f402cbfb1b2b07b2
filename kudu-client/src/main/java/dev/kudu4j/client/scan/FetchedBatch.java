package dev.kudu4j.client.scan;

import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;

/**
 * The result of one step of a scan.
 *
 * @param rows null if no tablet is left; a decoder may also return null for a response without rows
 * @param rowCount may be 0, also in the middle of a scan
 * @param hasMore whether another step may return rows
 * @param tablet tablet that was read; null if no tablet is left
 * @param serverId server that answered; null if no tablet is left
 */
public record FetchedBatch<B>(
    B rows,
    int rowCount,
    boolean hasMore,
    RemoteTablet tablet,
    String serverId,
    ResourceMetricsPB metrics,
    long elapsedMillis) {}
