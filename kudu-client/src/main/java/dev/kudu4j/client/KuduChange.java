package dev.kudu4j.client;

import java.util.Optional;

/**
 * A change of a row, from the change feed of a table. All changes of a write, a batch or a
 * transaction have one timestamp.
 *
 * @param type what the change did
 * @param timestamp hybrid time: a scan at this snapshot does not see the change, and a scan at any
 *     later snapshot does
 * @param before the row before the change; empty for an INSERT
 * @param after the row after the change; empty for a DELETE
 * @param tabletId the tablet of the row
 */
public record KuduChange(
    Type type,
    long timestamp,
    Optional<RowResult> before,
    Optional<RowResult> after,
    String tabletId) {
  /** What a change did. */
  public enum Type {
    INSERT,
    UPDATE,
    DELETE
  }

  /** The row after the change, or of a DELETE the row before it; always has the key. */
  public RowResult row() {
    return after.or(() -> before).orElseThrow();
  }
}
