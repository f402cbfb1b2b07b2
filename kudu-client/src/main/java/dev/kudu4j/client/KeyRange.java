package dev.kudu4j.client;

import java.util.HexFormat;

/**
 * A stretch of a tablet's primary keys and what it weighs.
 *
 * <p>Start is inclusive, end exclusive, both encoded; empty means that of the tablet.
 */
final class KeyRange {
  private final LocatedTablet tablet;
  private final byte[] primaryKeyStart;
  private final byte[] primaryKeyEnd;
  private final long dataSizeBytes;

  KeyRange(LocatedTablet tablet, byte[] primaryKeyStart, byte[] primaryKeyEnd, long dataSizeBytes) {
    this.tablet = tablet;
    this.primaryKeyStart = primaryKeyStart;
    this.primaryKeyEnd = primaryKeyEnd;
    this.dataSizeBytes = dataSizeBytes;
  }

  byte[] getPrimaryKeyStart() {
    return primaryKeyStart;
  }

  byte[] getPrimaryKeyEnd() {
    return primaryKeyEnd;
  }

  LocatedTablet getTablet() {
    return tablet;
  }

  byte[] getPartitionKeyStart() {
    return tablet.getPartition().getPartitionKeyStart();
  }

  byte[] getPartitionKeyEnd() {
    return tablet.getPartition().getPartitionKeyEnd();
  }

  long getDataSizeBytes() {
    return dataSizeBytes;
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    String start = primaryKeyStart.length == 0 ? "<start>" : hex.formatHex(primaryKeyStart);
    String end = primaryKeyEnd.length == 0 ? "<end>" : hex.formatHex(primaryKeyEnd);
    return "[" + start + ", " + end + "), " + dataSizeBytes + ", " + tablet;
  }
}
