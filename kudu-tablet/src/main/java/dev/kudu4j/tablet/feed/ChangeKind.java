package dev.kudu4j.tablet.feed;

/** What a change does, by the row's states before and after it. */
public enum ChangeKind {
  /** There was no row before. */
  INSERT,
  /** There is a row before and after. */
  UPDATE,
  /** There is no row after. */
  DELETE
}
