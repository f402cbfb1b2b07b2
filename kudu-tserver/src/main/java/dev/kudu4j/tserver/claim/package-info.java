/**
 * Unique indexes of any columns. Before the leader of a tablet logs a write, it claims the new
 * values at the tablets of the index, which give each value to one row.
 *
 * <pre>
 *   WriteCalls -> ClaimedWrites -> ClaimedWrite: lock keys, read rows, claim, log, release
 *                                       |
 *                                       +-> ClaimClient -> ClaimCalls -> ClaimQueue   (tablet of the index)
 *                                                       -> ClaimCheck                 (tablet of the other row)
 * </pre>
 *
 * <p>{@link dev.kudu4j.tserver.claim.ClaimBuild} claims the values of the rows that a table has
 * when the index is created. See docs/design/claims.md.
 */
@NullMarked
package dev.kudu4j.tserver.claim;

import org.jspecify.annotations.NullMarked;
