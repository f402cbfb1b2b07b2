/**
 * The first rows of a tablet in an order by any columns.
 *
 * <p>{@link dev.kudu4j.tablet.scan.top.TopRows} receives blocks. It maps the first column of the
 * order to numbers, the ranks, and keeps in a {@code RankHeap} the lowest ranks so far. The highest
 * of them bounds the rows that matter: pages whose statistics are beyond it are not read, and of
 * the other pages only rows up to it are read whole.
 */
@NullMarked
package dev.kudu4j.tablet.scan.top;

import org.jspecify.annotations.NullMarked;
