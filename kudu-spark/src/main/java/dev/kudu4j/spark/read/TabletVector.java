package dev.kudu4j.spark.read;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** The same text in each row: the cells of {@link TabletColumn}. */
final class TabletVector extends TypedVector {
  private final UTF8String tablet;

  TabletVector(String tablet) {
    super(DataTypes.StringType);
    this.tablet = UTF8String.fromString(tablet);
  }

  @Override
  public boolean hasNull() {
    return false;
  }

  @Override
  public int numNulls() {
    return 0;
  }

  @Override
  public boolean isNullAt(int row) {
    return false;
  }

  @Override
  public UTF8String getUTF8String(int row) {
    return tablet;
  }

  @Override
  public void close() {}
}
