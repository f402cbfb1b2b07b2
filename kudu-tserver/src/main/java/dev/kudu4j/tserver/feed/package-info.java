/**
 * The change feed as an RPC: {@link dev.kudu4j.tserver.feed.ChangeCalls}. A call reads the next
 * changes of one replica and keeps no state; the client keeps its position.
 */
@NullMarked
package dev.kudu4j.tserver.feed;

import org.jspecify.annotations.NullMarked;
