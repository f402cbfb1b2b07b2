package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;

/**
 * One tablet as recorded. Immutable; what changes by the second, such as its leader, is in the
 * directory.
 */
public final class TabletInfo {
  private final String id;
  private final String tableId;
  private final TabletEntryPB entry;

  public TabletInfo(String id, TabletEntryPB entry) {
    this.id = id;
    this.tableId = Ids.fromWire(entry.getTableId());
    this.entry = entry;
  }

  public String id() {
    return id;
  }

  public String tableId() {
    return tableId;
  }

  /** The record itself, with fields that this version does not know. */
  public TabletEntryPB entry() {
    return entry;
  }

  public PartitionPB partition() {
    return entry.getPartition();
  }

  /** Where its slice of the key space starts; empty for the very beginning. */
  public ByteString startKey() {
    return entry.getPartition().getPartitionKeyStart();
  }

  /** The members of its Raft group. */
  public RaftConfigPB config() {
    return entry.getConfig();
  }

  /** Whether it once had a leader, and thus may hold rows. */
  public boolean isRunning() {
    return entry.getState() == SysTabletsEntryPB.State.RUNNING;
  }

  @Override
  public String toString() {
    return "tablet " + id;
  }
}
