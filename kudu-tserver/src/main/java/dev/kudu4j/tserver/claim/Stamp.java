package dev.kudu4j.tserver.claim;

/**
 * Orders what the leaders of a tablet say about its rows: a later leader is later, and each leader
 * counts.
 *
 * @param tabletId of the table
 * @param term of the leader
 */
record Stamp(String tabletId, long term, long number) {
  /** Whether this is of the same tablet, and earlier. */
  boolean isBefore(Stamp other) {
    return tabletId.equals(other.tabletId)
        && (term < other.term || (term == other.term && number < other.number));
  }
}
