package dev.kudu4j.master.catalog;

import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.master.SysTablesEntryPB;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One table with its tablets, as recorded at one moment. Immutable: a reader sees a consistent
 * state that the table really had.
 */
public final class TableInfo {
  private final String id;
  private final TableEntryPB entry;
  private final TabletArray tablets;
  private final List<TabletInfo> dropping;
  private final Set<String> droppingIds;
  private final int tabletsInCreation;
  private final boolean lacksReplicas;

  /**
   * @param tablets the tablets that make up the table
   * @param dropping tablets that no longer belong to the table, but whose replicas may still exist
   */
  public TableInfo(String id, TableEntryPB entry, TabletArray tablets, List<TabletInfo> dropping) {
    this.id = id;
    this.entry = entry;
    this.tablets = tablets;
    this.dropping = List.copyOf(dropping);
    this.droppingIds =
        dropping.stream().map(TabletInfo::id).collect(Collectors.toUnmodifiableSet());
    this.tabletsInCreation = (int) tablets.stream().filter(tablet -> !tablet.isRunning()).count();
    this.lacksReplicas = tablets.stream().anyMatch(tablet -> !tablet.uncreated().isEmpty());
  }

  public String id() {
    return id;
  }

  public String name() {
    return entry.getName();
  }

  /** The record itself, including fields that this version does not know. */
  public TableEntryPB entry() {
    return entry;
  }

  public SysTablesEntryPB.State state() {
    return entry.getState();
  }

  public TabletArray tablets() {
    return tablets;
  }

  public List<TabletInfo> dropping() {
    return dropping;
  }

  /**
   * All tablets of the table that are recorded: those that make it up, and those that are being
   * dropped.
   */
  public List<TabletInfo> recordedTablets() {
    List<TabletInfo> all = new ArrayList<>(tablets);
    all.addAll(dropping);
    return all;
  }

  /** Whether the table's tablet of this id is being dropped, alone or with the whole table. */
  public boolean isDropping(String tabletId) {
    return isRemoved() || droppingIds.contains(tabletId);
  }

  public int schemaVersion() {
    return entry.getSchemaVersion();
  }

  /**
   * The schema that clients get: while some tablet has not applied an alteration, the schema before
   * that alteration.
   */
  public SchemaPB schemaForClients() {
    return entry.hasAppliedSchema() ? entry.getAppliedSchema() : entry.getSchema();
  }

  public boolean isAltering() {
    return entry.getState() == SysTablesEntryPB.State.ALTERING;
  }

  /** Whether the table was dropped for good, so that only the deletion of its replicas is left. */
  public boolean isRemoved() {
    return entry.getState() == SysTablesEntryPB.State.REMOVED;
  }

  public boolean isSoftDeleted() {
    return entry.getState() == SysTablesEntryPB.State.SOFT_DELETED;
  }

  public boolean hasFailed() {
    return entry.hasCreateFailure();
  }

  /** How many tablets have not had a leader yet. */
  public int tabletsInCreation() {
    return tabletsInCreation;
  }

  /** Whether a replica of any tablet is still to be created, even if the tablet already runs. */
  public boolean lacksReplicas() {
    return lacksReplicas;
  }

  public int replicationFactor() {
    return entry.getNumReplicas();
  }

  /** The table in messages: {@code users (id=0123...)}. */
  @Override
  public String toString() {
    return name() + " (id=" + id + ")";
  }
}
