package dev.kudu4j.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapreduce.InputSplit;

/**
 * A part of a tablet at the job's snapshot, for one mapper: a scan token, with the information that
 * Hadoop needs.
 */
final class KuduTableSplit extends InputSplit implements Writable {
  private String name;
  private byte[] token;
  private String[] locations;
  private long lengthBytes;
  private long expectedRows;

  /** Called by Hadoop, which then calls {@link #readFields}. */
  @SuppressWarnings("unused")
  KuduTableSplit() {}

  /**
   * @param name name of the split, for people
   * @param token a serialized scan token
   * @param locations hosts with a replica; the preferred host is first
   * @param lengthBytes stored size of the data to read; 0 if unknown
   * @param expectedRows approximate maximum number of rows; 0 if unknown
   */
  KuduTableSplit(
      String name, byte[] token, String[] locations, long lengthBytes, long expectedRows) {
    this.name = name;
    this.token = token;
    this.locations = locations;
    this.lengthBytes = lengthBytes;
    this.expectedRows = expectedRows;
  }

  byte[] token() {
    return token;
  }

  long expectedRows() {
    return expectedRows;
  }

  @Override
  public long getLength() {
    return lengthBytes;
  }

  @Override
  public String[] getLocations() {
    return locations.clone();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeString(out, name);
    out.writeInt(token.length);
    out.write(token);
    WritableUtils.writeStringArray(out, locations);
    out.writeLong(lengthBytes);
    out.writeLong(expectedRows);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    name = WritableUtils.readString(in);
    token = new byte[in.readInt()];
    in.readFully(token);
    locations = WritableUtils.readStringArray(in);
    lengthBytes = in.readLong();
    expectedRows = in.readLong();
  }

  @Override
  public String toString() {
    return name;
  }
}
