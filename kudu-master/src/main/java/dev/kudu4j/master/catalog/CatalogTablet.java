package dev.kudu4j.master.catalog;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.maintenance.ReplicaMaintenance;
import dev.kudu4j.server.maintenance.TableWishes;
import dev.kudu4j.server.replica.RaftHost;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.ReplicaState;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.Superblocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This master's replica of the tablet that holds the catalog. */
public final class CatalogTablet implements AutoCloseable {
  /** The tablet's id, the same in every cluster. */
  public static final String ID = "00000000000000000000000000000000";

  private static final Logger LOG = LoggerFactory.getLogger(CatalogTablet.class);
  private static final String TABLE_NAME = "sys.catalog";

  private final Tablet tablet;
  private final TabletReplica replica;
  private final BufferAllocator allocator;

  private CatalogTablet(Tablet tablet, TabletReplica replica, BufferAllocator allocator) {
    this.tablet = tablet;
    this.replica = replica;
    this.allocator = allocator;
  }

  /**
   * Opens the catalog that lies here, or makes a new one.
   *
   * @param environments of a tablet in a directory
   * @param members all masters; used only when the catalog is made
   * @param listener told of changes of role from the start
   * @throws KuduException CORRUPTION when only the log or only the data is there, and it is not
   *     what a crash left of the making
   */
  public static CatalogTablet open(
      ServerFiles files,
      Function<Path, TabletEnvironment> environments,
      ReplicaEnvironment replicas,
      List<RaftHost.Peer> members,
      TabletReplica.ChangeListener listener)
      throws IOException {
    Path directory = files.findTablet(ID);
    boolean logged = RaftHost.hasLog(files.raftDirectory(), ID);
    if (directory == null && logged) {
      throw KuduException.corruption(
          "The log of the catalog is in %s, but its data is in none of %s; restore the data, or"
              + " remove both to start an empty cluster",
          files.raftDirectory(), files.dataDirectories());
    }
    if (directory != null && logged) {
      TabletEnvironment environment = environments.apply(directory);
      try {
        Tablet tablet = Tablet.open(environment);
        TabletReplica replica = TabletReplica.open(ID, replicas, ReplicaState.of(tablet), listener);
        return new CatalogTablet(tablet, replica, environment.allocator());
      } catch (KuduException e) {
        if (e.code() != StatusCode.NOT_FOUND || hasRun(environment)) {
          throw e;
        }
        RaftHost.deleteLog(files.raftDirectory(), ID); // one that does not even name its members
      }
    } else if (directory != null && hasRun(environments.apply(directory))) {
      throw KuduException.corruption(
          "The data of the catalog is in %s, but its log is not in %s; restore the log, or remove"
              + " both to start an empty cluster",
          directory, files.raftDirectory());
    }
    return create(files, directory, environments, replicas, members, listener);
  }

  /** Whether there has ever been a checkpoint: then there has been a log. */
  private static boolean hasRun(TabletEnvironment environment) throws IOException {
    SuperblockFile superblock = new SuperblockFile(environment.files(), environment.directory());
    return superblock.exists() && Superblocks.position(superblock.read()).index() >= 0;
  }

  /** Makes the catalog; what a crash left of an earlier try is replaced. */
  private static CatalogTablet create(
      ServerFiles files,
      Path leftover,
      Function<Path, TabletEnvironment> environments,
      ReplicaEnvironment replicas,
      List<RaftHost.Peer> members,
      TabletReplica.ChangeListener listener)
      throws IOException {
    Path directory = leftover != null ? leftover : files.placeTablet(ID);
    TabletEnvironment environment = environments.apply(directory);
    if (leftover != null) {
      environment.files().deleteTree(leftover);
    }
    LOG.info("Making a new catalog in {}", directory);
    Tablet tablet =
        Tablet.create(
            environment, new TabletDescriptor(ID, ID, TABLE_NAME, CatalogRows.SCHEMA, 0, Map.of()));
    TabletReplica replica =
        TabletReplica.create(ID, replicas, ReplicaState.of(tablet), members, listener);
    return new CatalogTablet(tablet, replica, environment.allocator());
  }

  public TabletReplica replica() {
    return replica;
  }

  /** A store for the term in which this replica leads now. */
  public CatalogStore store() {
    return store(replica.consensus().term());
  }

  CatalogStore store(long term) {
    return new ReplicatedCatalogStore(tablet, replica, allocator, term);
  }

  /** The tablet, for the master's maintenance; nobody reads the catalog as it was. */
  public MaintainedTablet maintained(HybridClock clock) {
    return new ReplicaMaintenance(
        tablet, replica, new AncientHistory(clock, 0), () -> TableWishes.NONE);
  }

  @Override
  public void close() {
    replica.close();
  }
}
