package dev.kudu4j.master.group;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.CatalogTablet;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.rpc.TabletCopyTarget;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the request of a leading master that this master copy the leader's catalog. Starts the
 * copy, or rejects the request if a copy is under way or this master has a catalog. The copy
 * transfers the entries of the catalog, not its files, since the catalog is small. Thread-safe.
 */
public final class CatalogCopyTarget implements TabletCopyTarget {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogCopyTarget.class);
  private static final long TIMEOUT_MILLIS = 60_000;

  /** Reserves the place of the catalog on this master, and opens the copy there. */
  public interface Opener {
    /**
     * Reserves the place of the catalog for a copy; returns false when there is a catalog, or
     * another copy has reserved the place.
     */
    boolean reserve();

    /** Releases the place after a copy has failed. */
    void release();

    /** Creates this master's catalog from the copy, after {@link #reserve} returned true. */
    CompletableFuture<Void> open(CopyCatalogResponsePB copy);
  }

  private final MasterPeers peers;
  private final HostPortPB raftAddress;
  private final Opener opener;
  private boolean underWay;

  /**
   * @param raftAddress the Raft address of this master, sent to the leader in each response
   */
  public CatalogCopyTarget(MasterPeers peers, HostPortPB raftAddress, Opener opener) {
    this.peers = peers;
    this.raftAddress = raftAddress;
    this.opener = opener;
  }

  @Override
  public void startTabletCopy(StartTabletCopyRequestPB request, RpcCall call) {
    StartTabletCopyResponsePB.Builder answer =
        StartTabletCopyResponsePB.newBuilder().setRaftAddr(raftAddress);
    HostPort source = HostPort.fromWire("copy_peer_addr", request.getCopyPeerAddr());
    TabletServerErrorPB refusal = refusal(Ids.fromWire(request.getTabletId()));
    if (refusal != null) {
      call.respond(answer.setError(refusal).build());
      return;
    }
    peers
        .copyCatalog(source, TIMEOUT_MILLIS)
        .thenCompose(opener::open)
        .whenComplete((done, failure) -> ended(failure));
    call.respond(answer.build());
  }

  private synchronized void ended(Throwable failure) {
    underWay = false;
    if (failure != null) {
      LOG.warn(
          "The catalog was not copied; the leader will request it again: {}", failure.getMessage());
      opener.release();
    }
  }

  /** Why the request is rejected. Null when the copy may begin; it is then noted as under way. */
  private synchronized TabletServerErrorPB refusal(String tabletId) {
    if (!tabletId.equals(CatalogTablet.ID)) {
      return error(TabletServerErrorPB.Code.TABLET_NOT_FOUND, "A master copies the catalog only");
    }
    if (underWay) {
      return error(
          TabletServerErrorPB.Code.ALREADY_INPROGRESS, "The catalog is being copied already");
    }
    if (!opener.reserve()) {
      return error(TabletServerErrorPB.Code.TABLET_ALREADY_EXISTS, "This master has a catalog");
    }
    underWay = true;
    return null;
  }

  private static TabletServerErrorPB error(TabletServerErrorPB.Code code, String message) {
    return TabletServerErrorPB.newBuilder()
        .setCode(code)
        .setStatus(StatusWire.toWire(StatusCode.ILLEGAL_STATE, message))
        .build();
  }
}
