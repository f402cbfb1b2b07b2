package dev.kudu4j.master;

import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.master.catalog.CatalogTablet;
import dev.kudu4j.master.group.CatalogBootstrap;
import dev.kudu4j.master.group.CatalogCopyTarget;
import dev.kudu4j.master.group.MasterPeers;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens this master's replica of the catalog. It first asks the other masters for their addresses,
 * then opens the replica that is on disk. If there is no replica on disk, it creates one as soon as
 * the masters have agreed on the members of the group, or copies the catalog when the leader of an
 * existing group requests that, whichever happens first.
 */
final class CatalogOpener implements CatalogCopyTarget.Opener {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogOpener.class);
  private static final long DISCOVERY_MILLIS = 1_000;

  private final ServerFiles files;
  private final Function<Path, TabletEnvironment> environments;
  private final HostPort ownAddress;
  private final MasterPeers peers;
  private final CatalogBootstrap bootstrap;
  private final TabletReplica.ChangeListener listener;
  private final Executor loader;
  private final AtomicBoolean reserved = new AtomicBoolean();
  private final CompletableFuture<CatalogTablet> opened = new CompletableFuture<>();
  private volatile ReplicaEnvironment environment;

  /**
   * @param loader runs the opening, creation and copying of the replica, which block
   */
  CatalogOpener(
      ServerFiles files,
      Function<Path, TabletEnvironment> environments,
      HostPort ownAddress,
      MasterPeers peers,
      CatalogBootstrap bootstrap,
      TabletReplica.ChangeListener listener,
      Executor loader) {
    this.files = files;
    this.environments = environments;
    this.ownAddress = ownAddress;
    this.peers = peers;
    this.bootstrap = bootstrap;
    this.listener = listener;
    this.loader = loader;
  }

  /** Completes with the catalog once it is opened, created or copied; fails if that failed. */
  CompletableFuture<CatalogTablet> opened() {
    return opened;
  }

  /** Begins to open or create the catalog; {@code replicas} contains the running Raft host. */
  void begin(ReplicaEnvironment replicas) {
    peers
        .discoverPeers(DISCOVERY_MILLIS)
        .thenApplyAsync(
            discovered -> {
              replicas.raft().registerPeers(discovered);
              return existing(replicas, discovered);
            },
            loader)
        .thenCompose(
            existing -> {
              environment = replicas; // from now on reserve() accepts a copy
              return existing
                  .map(CompletableFuture::completedFuture)
                  .orElseGet(() -> create(replicas));
            })
        .whenComplete(this::complete);
  }

  /**
   * @param catalog null when the catalog is being copied instead of created: {@link #open} then
   *     completes {@code opened}
   */
  private void complete(CatalogTablet catalog, Throwable failure) {
    if (failure != null) {
      opened.completeExceptionally(failure);
    } else if (catalog != null) {
      opened.complete(catalog);
    }
  }

  @Override
  public boolean reserve() {
    return environment != null && !opened.isDone() && reserved.compareAndSet(false, true);
  }

  @Override
  public void release() {
    reserved.set(false);
  }

  @Override
  public CompletableFuture<Void> open(CopyCatalogResponsePB copy) {
    return CompletableFuture.supplyAsync(
            () -> {
              try {
                return CatalogTablet.join(files, environments, environment, copy, listener);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            loader)
        .thenAccept(opened::complete);
  }

  private Optional<CatalogTablet> existing(
      ReplicaEnvironment replicas, List<RaftHost.Peer> discovered) {
    try {
      Optional<CatalogTablet> opened = CatalogTablet.open(files, environments, replicas, listener);
      opened.ifPresent(catalog -> compare(catalog, discovered));
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Warns when {@code --master_addresses} differs from the members in the log. The members in the
   * log are the valid ones.
   */
  private void compare(CatalogTablet catalog, List<RaftHost.Peer> discovered) {
    Set<String> members =
        catalog.replica().consensus().members().stream()
            .map(member -> member.serverUuid())
            .collect(Collectors.toCollection(TreeSet::new));
    List<RaftHost.Peer> strangers =
        discovered.stream().filter(master -> !members.contains(master.serverUuid())).toList();
    if (!strangers.isEmpty()) {
      LOG.warn(
          "--master_addresses names masters that are not members of the catalog's group {}: {}; add"
              + " them with kudu master add",
          members,
          strangers);
    }
    if (!peers.addresses().isEmpty() && peers.addresses().size() < members.size()) {
      LOG.warn(
          "--master_addresses names {} masters, but the catalog's group has {}: {}",
          peers.addresses().size(),
          members.size(),
          members);
    }
  }

  private CompletableFuture<CatalogTablet> create(ReplicaEnvironment replicas) {
    return initialMembers(replicas.raft())
        .thenApplyAsync(initialMembers -> create(replicas, initialMembers), loader);
  }

  private CompletableFuture<List<RaftHost.Peer>> initialMembers(RaftHost raft) {
    if (!peers.isAlone()) {
      return bootstrap.begin();
    }
    RaftHost.Peer self = raft.self();
    return CompletableFuture.completedFuture(
        List.of(
            new RaftHost.Peer(self.serverUuid(), self.host(), self.port(), ownAddress.toString())));
  }

  private CatalogTablet create(ReplicaEnvironment replicas, List<RaftHost.Peer> initialMembers) {
    if (!reserved.compareAndSet(false, true)) {
      return null; // a leader has already requested a copy
    }
    try {
      return CatalogTablet.create(files, environments, replicas, initialMembers, listener);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
