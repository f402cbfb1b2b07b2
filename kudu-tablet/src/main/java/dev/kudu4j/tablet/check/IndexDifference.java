package dev.kudu4j.tablet.check;

/**
 * A difference between an index file and the rows of its rowset.
 *
 * @param index name of the index
 * @param rowSetId the rowset
 * @param ordinal the row in the rowset; {@link #WHOLE_FILE} if the difference is not about one row
 * @param text what is different
 */
public record IndexDifference(String index, long rowSetId, long ordinal, String text) {
  public static final long WHOLE_FILE = -1;
}
