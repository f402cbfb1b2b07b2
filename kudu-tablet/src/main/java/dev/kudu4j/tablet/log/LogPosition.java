package dev.kudu4j.tablet.log;

/** A position in the Raft log. {@link #NONE} is before the first entry. */
public record LogPosition(long term, long index) {
  public static final LogPosition NONE = new LogPosition(0, -1);
}
