package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One tablet as recorded. Immutable. State that changes often, such as its leader, is in {@code
 * ObservedTablets} instead.
 */
public final class TabletInfo {
  private final String id;
  private final String tableId;
  private final TabletEntryPB entry;
  private final Set<String> uncreated;
  private final List<String> members;
  private final Set<String> nonMemberHolders;

  public TabletInfo(String id, TabletEntryPB entry) {
    this.id = id;
    this.tableId = Ids.fromWire(entry.getTableId());
    this.entry = entry;
    this.uncreated = uncreated(entry);
    this.members =
        entry.getConfig().getPeersList().stream()
            .map(peer -> Ids.fromWire(peer.getPermanentUuid()))
            .toList();
    this.nonMemberHolders =
        entry.getOtherUuidsList().stream()
            .map(Ids::fromWire)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * The uncreated members of a record. A record without a creation version was written by a version
   * that did not record uncreated members. If the tablet of such a record does not run, all its
   * members count as uncreated.
   */
  private static Set<String> uncreated(TabletEntryPB entry) {
    boolean recordsUncreated = entry.hasCreationVersion();
    boolean none =
        recordsUncreated
            ? entry.getUncreatedUuidsCount() == 0
            : entry.getState() == SysTabletsEntryPB.State.RUNNING;
    if (none) {
      return Set.of();
    }
    Set<String> uuids = new LinkedHashSet<>();
    for (RaftPeerPB peer : entry.getConfig().getPeersList()) {
      if (!recordsUncreated || entry.getUncreatedUuidsList().contains(peer.getPermanentUuid())) {
        uuids.add(Ids.fromWire(peer.getPermanentUuid()));
      }
    }
    return uuids;
  }

  public String id() {
    return id;
  }

  public String tableId() {
    return tableId;
  }

  /** The record itself, including fields that this version does not know. */
  public TabletEntryPB entry() {
    return entry;
  }

  public PartitionPB partition() {
    return entry.getPartition();
  }

  /** The partition key at which its partition starts; empty for the beginning of the key space. */
  public ByteString startKey() {
    return entry.getPartition().getPartitionKeyStart();
  }

  /** The members of its Raft group. */
  public RaftConfigPB config() {
    return entry.getConfig();
  }

  /**
   * Whether a configuration that a leader of {@code term} reported is later than the recorded one.
   * Within a term the indexes of committed configurations rise. The leader of a later term has
   * everything that was committed in earlier terms, even if a deposed leader's log reached higher
   * indexes.
   */
  public boolean isLaterConfig(long term, long index) {
    long recorded = entry.hasConfigTerm() ? entry.getConfigTerm() : -1;
    return term > recorded || (term == recorded && index > entry.getConfig().getOpidIndex());
  }

  public boolean isMember(String serverUuid) {
    return members.contains(serverUuid);
  }

  /** The uuids of its members. */
  public List<String> members() {
    return members;
  }

  /** Servers that are no members of its Raft group and may still have a replica. */
  public Set<String> nonMemberHolders() {
    return nonMemberHolders;
  }

  /** All servers that may have a replica. */
  public Stream<String> holders() {
    return Stream.concat(members.stream(), nonMemberHolders.stream());
  }

  /** Whether the tablet has ever had a leader, and thus may hold rows. */
  public boolean isRunning() {
    return entry.getState() == SysTabletsEntryPB.State.RUNNING;
  }

  /**
   * The members that are not known to have created their replica: only these may be asked to create
   * one.
   */
  public Set<String> uncreated() {
    return uncreated;
  }

  @Override
  public String toString() {
    return "tablet " + id;
  }
}
