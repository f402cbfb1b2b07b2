package dev.kudu4j.master.catalog;

import dev.kudu4j.common.proto.masters.CopyCatalogRequestPB;
import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.MaintainedTablet;
import dev.kudu4j.server.maintenance.ReplicaMaintenance;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.server.raft.LogAnchor;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.log.LastVote;
import dev.kudu4j.server.raft.log.RaftLogs;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.ReplicaState;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This master's replica of the tablet that holds the catalog. */
public final class CatalogTablet implements AutoCloseable {
  /** The tablet's id, the same in every cluster. */
  public static final String ID = "00000000000000000000000000000000";

  private static final Logger LOG = LoggerFactory.getLogger(CatalogTablet.class);

  /**
   * The size of the records in one response to a master that copies the catalog, well below the
   * limit of an RPC message.
   */
  private static final long COPY_BYTES = 8 << 20;

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
   * Opens the catalog that is on this master's disk.
   *
   * @param environments the environment of a tablet, by its directory
   * @param listener is notified of every change of the replica's role
   * @return empty when there is no catalog, or only the data of a creation that was interrupted
   *     before it wrote a log
   * @throws KuduException CORRUPTION when there is a log without data, or data without the log that
   *     it once had
   */
  public static Optional<CatalogTablet> open(
      ServerFiles files,
      Function<Path, TabletEnvironment> environments,
      ReplicaEnvironment replicas,
      TabletReplica.ChangeListener listener)
      throws IOException {
    if (Files.exists(copyMark(files))) {
      clear(files, environments);
      Files.delete(copyMark(files));
    }
    Path directory = files.findTablet(ID);
    boolean logged = RaftLogs.exists(files.raftDirectory(), ID);
    if (directory == null && logged) {
      throw KuduException.corruption(
          "The log of the catalog is in %s, but its data is in none of %s; restore the data, or"
              + " remove both to start without a catalog",
          files.raftDirectory(), files.dataDirectories());
    }
    if (directory != null && logged) {
      TabletEnvironment environment = environments.apply(directory);
      Tablet tablet = Tablet.open(environment);
      TabletReplica replica = TabletReplica.open(ID, replicas, ReplicaState.of(tablet), listener);
      return Optional.of(new CatalogTablet(tablet, replica, environment.allocator()));
    }
    if (directory != null && hasRun(environments.apply(directory))) {
      throw KuduException.corruption(
          "The data of the catalog is in %s, but its log is not in %s; restore the log, or remove"
              + " both to start without a catalog",
          directory, files.raftDirectory());
    }
    return Optional.empty();
  }

  /** Whether the tablet has ever made a checkpoint. If so, it also had a log. */
  private static boolean hasRun(TabletEnvironment environment) throws IOException {
    SuperblockFile superblock = new SuperblockFile(environment.files(), environment.directory());
    return superblock.exists() && SuperblockMessages.position(superblock.read()).index() >= 0;
  }

  /**
   * Creates the catalog after {@link #open} found none; first deletes the data of an earlier
   * creation that a crash interrupted.
   *
   * @param initialMembers all masters, this one among them
   */
  public static CatalogTablet create(
      ServerFiles files,
      Function<Path, TabletEnvironment> environments,
      ReplicaEnvironment replicas,
      List<RaftHost.Peer> initialMembers,
      TabletReplica.ChangeListener listener)
      throws IOException {
    Path leftover = files.findTablet(ID);
    Path directory = leftover != null ? leftover : files.placeTablet(ID);
    TabletEnvironment environment = environments.apply(directory);
    if (leftover != null) {
      environment.files().deleteTree(leftover);
    }
    LOG.info("Creating a new catalog in {}", directory);
    TabletDescriptor descriptor =
        new TabletDescriptor(ID, ID, TABLE_NAME, CatalogRows.SCHEMA, 0, Map.of());
    Tablet tablet = Tablet.create(environment, descriptor);
    TabletReplica replica =
        TabletReplica.create(ID, replicas, ReplicaState.of(tablet), initialMembers, listener);
    return new CatalogTablet(tablet, replica, environment.allocator());
  }

  /**
   * Installs a copy of another master's catalog after {@link #open} found none. The replica is a
   * learner until the group's leader makes it a voter.
   *
   * <p>A marker file in the directory of logs exists until the copy is complete. After a crash,
   * {@link #open} finds the marker and deletes the incomplete copy.
   */
  public static CatalogTablet join(
      ServerFiles files,
      Function<Path, TabletEnvironment> environments,
      ReplicaEnvironment replicas,
      CopyCatalogResponsePB copy,
      TabletReplica.ChangeListener listener)
      throws IOException {
    Path mark = copyMark(files);
    Files.createDirectories(mark.getParent());
    Files.writeString(mark, "A copy of the catalog is under way.\n");
    clear(files, environments);
    TabletEnvironment environment = environments.apply(files.placeTablet(ID));
    TabletDescriptor descriptor =
        new TabletDescriptor(
            ID, ID, TABLE_NAME, CatalogRows.SCHEMA, 0, CatalogCopy.attributes(copy));
    Tablet tablet = Tablet.create(environment, descriptor);
    TabletReplica replica;
    try {
      CatalogCopy.install(copy, tablet);
      tablet.flush();
    } catch (IOException | RuntimeException e) {
      tablet.close();
      throw e;
    }
    List<RaftHost.Peer> members =
        copy.getMembersList().stream().map(CatalogMembers::fromWire).toList();
    replica =
        TabletReplica.join(ID, replicas, ReplicaState.of(tablet), members, LastVote.NONE, listener);
    Files.delete(mark);
    LOG.info("The catalog was copied up to log position {}.{}", copy.getTerm(), copy.getIndex());
    return new CatalogTablet(tablet, replica, environment.allocator());
  }

  private static Path copyMark(ServerFiles files) {
    return files.raftDirectory().resolve("catalog-copy");
  }

  private static void clear(ServerFiles files, Function<Path, TabletEnvironment> environments)
      throws IOException {
    if (RaftLogs.exists(files.raftDirectory(), ID)) {
      RaftLogs.delete(files.raftDirectory(), ID);
    }
    Path directory = files.findTablet(ID);
    if (directory != null) {
      environments.apply(directory).files().deleteTree(directory);
    }
  }

  /**
   * The first or next part of the data that another master needs to join. Each call retains the
   * log, from the position of the first part on, for another minute.
   */
  public CopyCatalogResponsePB copy(CopyCatalogRequestPB request, List<RaftHost.Peer> voters) {
    return copy(request, voters, COPY_BYTES);
  }

  @SuppressWarnings("try") // the anchor is only held
  CopyCatalogResponsePB copy(
      CopyCatalogRequestPB request, List<RaftHost.Peer> voters, long maxBytes) {
    long index = request.hasIndex() ? request.getIndex() : tablet.applied().index();
    try (LogAnchor hold = replica.anchorLog(index)) {
      CopyCatalogResponsePB.Builder copy =
          CatalogCopy.take(
              request, tablet, new ReplicatedCatalogStore(tablet, replica, allocator, 0), maxBytes);
      voters.forEach(voter -> copy.addMembers(CatalogMembers.toWire(voter)));
      return copy.build();
    }
  }

  public TabletReplica replica() {
    return replica;
  }

  /** A store whose writes succeed only in the replica's present term. */
  public CatalogStore store() {
    return store(replica.consensus().term());
  }

  CatalogStore store(long term) {
    return new ReplicatedCatalogStore(tablet, replica, allocator, term);
  }

  /**
   * The cluster's id; empty until this replica has applied the write that recorded it. Also works
   * on a follower.
   */
  public Optional<String> clusterId() {
    AtomicReference<String> found = new AtomicReference<>();
    new ReplicatedCatalogStore(tablet, replica, allocator, 0)
        .scan(
            (kind, id, record) -> {
              if (kind == EntryKind.CLUSTER) {
                found.set(id);
              }
            });
    return Optional.ofNullable(found.get());
  }

  /**
   * The catalog's tablet for the maintenance scheduler. No history is retained, since no scan reads
   * at an earlier timestamp.
   */
  public MaintainedTablet maintained(HybridClock clock) {
    return new ReplicaMaintenance(
        tablet, replica, new AncientHistory(clock, 0), () -> TableMaintenanceConfig.NONE);
  }

  @Override
  public void close() {
    replica.close();
  }
}
