package dev.kudu4j.master.catalog;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.master.catalog.CatalogStore.Change;
import dev.kudu4j.master.proto.catalog.ClusterEntryPB;
import dev.kudu4j.master.proto.catalog.ServerEntryPB;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All tables and tablets: a cache in memory of everything in the {@link CatalogStore}.
 *
 * <p>The cache is write-through: a change is in the store before any reader sees it, so whatever a
 * reader has seen survives a crash. After a failed write the content of the store is not known; the
 * catalog then refuses every further change and notifies its owner, who loads a new catalog.
 *
 * <p>Thread-safe. Lookups take no lock; changes take one lock for as long as the store writes.
 */
public final class Catalog {
  /** The version of the record format that this software writes. */
  public static final int RECORD_VERSION = 1;

  private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

  private final CatalogStore store;
  private final Consumer<Throwable> onStoreFailure;
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<String, TableInfo> tables = new ConcurrentHashMap<>();
  private final Map<String, TabletInfo> tablets = new ConcurrentHashMap<>();
  private final Map<String, String> idByName = new ConcurrentHashMap<>();
  private final Map<String, String> softDeletedIdByName = new ConcurrentHashMap<>();
  private final Map<String, ServerEntryPB> servers = new ConcurrentHashMap<>();
  private final Map<ByteString, String> idByRequest = new ConcurrentHashMap<>();
  private volatile String clusterId;

  @GuardedBy("lock")
  private Throwable storeFailure;

  private Catalog(CatalogStore store, Consumer<Throwable> onStoreFailure) {
    this.store = store;
    this.onStoreFailure = onStoreFailure;
  }

  /**
   * Loads the content of the store, removes the tablets of changes that a crash interrupted, and
   * gives a new cluster its id.
   *
   * @param onStoreFailure runs, under no lock, when a write failed and this catalog must be
   *     replaced
   */
  public static Catalog load(
      CatalogStore store,
      RandomGenerator random,
      long nowMicros,
      Consumer<Throwable> onStoreFailure) {
    Catalog catalog = new Catalog(store, onStoreFailure);
    catalog.load(random, nowMicros);
    return catalog;
  }

  private void load(RandomGenerator random, long nowMicros) {
    Map<String, TableEntryPB> tableEntries = new HashMap<>();
    Map<String, List<TabletInfo>> tabletsByTable = new HashMap<>();
    store.load(
        (kind, id, record) -> {
          switch (kind) {
            case CLUSTER ->
                clusterId = parse(ClusterEntryPB.parser(), kind, id, record).getClusterId();
            case TABLE -> tableEntries.put(id, parse(TableEntryPB.parser(), kind, id, record));
            case TABLET -> {
              TabletInfo tablet =
                  new TabletInfo(id, parse(TabletEntryPB.parser(), kind, id, record));
              tabletsByTable.computeIfAbsent(tablet.tableId(), t -> new ArrayList<>()).add(tablet);
            }
            case TABLET_SERVER -> servers.put(id, parse(ServerEntryPB.parser(), kind, id, record));
          }
        });
    List<Change> repairs = new ArrayList<>();
    tabletsByTable.forEach(
        (tableId, found) -> {
          TableEntryPB table = tableEntries.get(tableId);
          found.removeIf(
              tablet -> {
                boolean orphan =
                    table == null || tablet.entry().getGeneration() > table.getGeneration();
                if (orphan) {
                  repairs.add(Change.remove(EntryKind.TABLET, tablet.id()));
                }
                return orphan;
              });
        });
    if (clusterId == null) {
      clusterId = Ids.random(random);
      ClusterEntryPB entry =
          ClusterEntryPB.newBuilder()
              .setVersion(RECORD_VERSION)
              .setClusterId(clusterId)
              .setCreateTimeMicros(nowMicros)
              .build();
      repairs.add(Change.put(EntryKind.CLUSTER, clusterId, entry.toByteString()));
    }
    if (!repairs.isEmpty()) {
      store.write(repairs);
    }
    tableEntries.forEach(
        (id, entry) -> publish(id, entry, tabletsByTable.getOrDefault(id, List.of())));
    LOG.debug(
        "Loaded the catalog of cluster {}: {} tables, {} tablets, {} repairs",
        clusterId,
        tables.size(),
        tablets.size(),
        repairs.size());
  }

  private static <M extends Message> M parse(
      Parser<M> parser, EntryKind kind, String id, ByteString record) {
    try {
      return parser.parseFrom(record);
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "The catalog's entry %s %s cannot be read: %s; restore it from another master",
          kind, id, e.getMessage());
    }
  }

  /** The id of the cluster, generated when its catalog was loaded for the first time. */
  public String clusterId() {
    return clusterId;
  }

  /** The table of that id, or null. A removed table is returned until its record is deleted. */
  public TableInfo table(String id) {
    return tables.get(id);
  }

  /** The table with that name: the regular one, else a soft-deleted one, else null. */
  public TableInfo tableByName(String name) {
    TableInfo regular = regularTableByName(name);
    if (regular != null) {
      return regular;
    }
    String id = softDeletedIdByName.get(name);
    return id == null ? null : tables.get(id);
  }

  /**
   * The table that reserves that name, so that no other table may get it; null if there is none.
   * Softly deleted tables do not reserve their names.
   */
  public TableInfo regularTableByName(String name) {
    String id = idByName.get(name);
    return id == null ? null : tables.get(id);
  }

  /**
   * The id of the table that the request with this key created or changed; null when the key is
   * not, or no longer, recorded.
   */
  public String tableOfRequest(ByteString key) {
    return idByRequest.get(key);
  }

  public Collection<TableInfo> tables() {
    return Collections.unmodifiableCollection(tables.values());
  }

  /** How many replicas the tablets of all tables should have. */
  public long replicas() {
    long replicas = 0;
    for (TableInfo table : tables.values()) {
      replicas += (long) table.tablets().size() * table.replicationFactor();
    }
    return replicas;
  }

  /** The tablet of that id, or null. A tablet that is being dropped is returned as well. */
  public TabletInfo tablet(String id) {
    return tablets.get(id);
  }

  /** The state that an operator has given a tablet server; UNKNOWN for a server without one. */
  public ServerEntryPB.State serverState(String uuid) {
    ServerEntryPB entry = servers.get(uuid);
    return entry == null ? ServerEntryPB.State.UNKNOWN : entry.getState();
  }

  /** The states that operators have given tablet servers, by uuid. */
  public Map<String, ServerEntryPB.State> serverStates() {
    Map<String, ServerEntryPB.State> states = new HashMap<>();
    servers.forEach((uuid, entry) -> states.put(uuid, entry.getState()));
    return states;
  }

  /** The uuids of the servers that have a state given by an operator. */
  public Set<String> specialServers() {
    return Set.copyOf(servers.keySet());
  }

  /** Whether a server is in maintenance: its failed replicas are not replaced. */
  public boolean isInMaintenance(String uuid) {
    return serverState(uuid) == ServerEntryPB.State.MAINTENANCE;
  }

  /** Whether a server has to give up its replicas. */
  public boolean isDecommissioned(String uuid) {
    return serverState(uuid) == ServerEntryPB.State.DECOMMISSIONED;
  }

  /**
   * Whether a server may get new replicas: one that is neither in maintenance nor decommissioned.
   */
  public boolean takesReplicas(String uuid) {
    return !servers.containsKey(uuid);
  }

  /**
   * Makes one change: writes the records that {@code edit} stages, then makes them visible to
   * readers. If {@code edit} throws, nothing changes.
   *
   * @throws KuduException SERVICE_UNAVAILABLE when the outcome of an earlier change is not known
   */
  public <T> T change(Function<CatalogEdit, T> edit) {
    Throwable failure;
    lock.lock();
    try {
      checkStoreLocked();
      CatalogEdit staged = new CatalogEdit(this);
      T result = edit.apply(staged);
      List<Change> batch = staged.batch();
      if (batch.isEmpty()) {
        return result;
      }
      try {
        store.write(batch);
        apply(staged);
        return result;
      } catch (RuntimeException e) {
        storeFailure = e;
        failure = e;
      }
    } finally {
      lock.unlock();
    }
    onStoreFailure.accept(failure);
    throw unavailable(failure);
  }

  /** Makes a written edit visible to readers. */
  private void apply(CatalogEdit staged) {
    Map<String, TableInfo> before = CatalogInvariants.before(this, staged);
    publish(staged);
    assert CatalogInvariants.hold(this, staged, before);
  }

  @GuardedBy("lock")
  private void checkStoreLocked() {
    if (storeFailure != null) {
      throw unavailable(storeFailure);
    }
  }

  private static KuduException unavailable(Throwable cause) {
    return KuduException.serviceUnavailable(
        "The catalog could not be written (%s); try again", cause.getMessage());
  }

  private void publish(CatalogEdit edit) {
    edit.servers()
        .forEach(
            (uuid, entry) -> {
              if (entry == null) {
                servers.remove(uuid);
              } else {
                servers.put(uuid, entry);
              }
            });
    for (String tableId : edit.touchedTables()) {
      TableInfo before = tables.get(tableId);
      TableEntryPB entry = edit.tableAfter(tableId, before);
      Map<String, TabletInfo> members = new LinkedHashMap<>();
      if (before != null) {
        before.recordedTablets().forEach(tablet -> members.put(tablet.id(), tablet));
      }
      edit.tablets()
          .forEach(
              (id, tablet) -> {
                if (tablet == null) {
                  if (members.remove(id) != null) {
                    tablets.remove(id);
                  }
                } else if (Ids.fromWire(tablet.getTableId()).equals(tableId)) {
                  members.put(id, new TabletInfo(id, tablet));
                }
              });
      if (entry == null) {
        forget(before, members.keySet());
      } else {
        publish(tableId, entry, members.values());
      }
    }
  }

  private void publish(String id, TableEntryPB entry, Collection<TabletInfo> members) {
    Set<String> droppingIds = new HashSet<>();
    entry.getDroppingTabletIdsList().forEach(dropped -> droppingIds.add(Ids.fromWire(dropped)));
    List<TabletInfo> live = new ArrayList<>(members.size());
    List<TabletInfo> dropping = new ArrayList<>();
    for (TabletInfo tablet : members) {
      (droppingIds.contains(tablet.id()) ? dropping : live).add(tablet);
      tablets.put(tablet.id(), tablet);
    }
    TableInfo before = tables.get(id);
    TableInfo after = new TableInfo(id, entry, new TabletArray(live), dropping);
    tables.put(id, after);
    if (before != null) {
      before.entry().getRequestKeysList().forEach(idByRequest::remove);
    }
    entry.getRequestKeysList().forEach(key -> idByRequest.put(key, id));
    if (after.isSoftDeleted()) {
      softDeletedIdByName.put(after.name(), id);
    } else if (holdsName(after)) {
      idByName.put(after.name(), id);
    }
    if (before != null) {
      unname(before, after);
    }
  }

  private void unname(TableInfo before, TableInfo after) {
    boolean sameName = after != null && after.name().equals(before.name());
    if (!(sameName && holdsName(after))) {
      idByName.remove(before.name(), before.id());
    }
    if (!(sameName && after.isSoftDeleted())) {
      softDeletedIdByName.remove(before.name(), before.id());
    }
  }

  private static boolean holdsName(TableInfo table) {
    return !table.isRemoved() && !table.isSoftDeleted();
  }

  private void forget(TableInfo table, Set<String> tabletIds) {
    if (table == null) {
      return;
    }
    tables.remove(table.id());
    table.entry().getRequestKeysList().forEach(idByRequest::remove);
    unname(table, null);
    tabletIds.forEach(tablets::remove);
  }
}
