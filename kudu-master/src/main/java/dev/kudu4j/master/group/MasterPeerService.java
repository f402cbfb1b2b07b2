package dev.kudu4j.master.group;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.masters.CopyCatalogRequestPB;
import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.common.proto.masters.EnsureStatusTabletRequestPB;
import dev.kudu4j.common.proto.masters.EnsureStatusTabletResponsePB;
import dev.kudu4j.common.proto.masters.IntroduceRequestPB;
import dev.kudu4j.common.proto.masters.IntroduceResponsePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.master.catalog.CatalogMembers;
import dev.kudu4j.master.failure.MasterException;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * {@code kudu4j.masters.MasterPeerService}: what a master reports about itself to the other
 * masters.
 */
public final class MasterPeerService {
  public static final String NAME = "kudu4j.masters.MasterPeerService";
  static final String INTRODUCE = "Introduce";
  static final String COPY_CATALOG = "CopyCatalog";
  public static final String ENSURE_STATUS_TABLET = "EnsureStatusTablet";

  private final ServerIdentity identity;
  private final Supplier<Set<String>> found;
  private final Supplier<List<RaftHost.Peer>> members;
  private final Function<CopyCatalogRequestPB, CopyCatalogResponsePB> copy;
  private final LongConsumer statusTablets;

  /**
   * @param found the uuids of the masters that this one has found; empty until it has found one at
   *     every address
   * @param members the voters of the catalog's group; empty without a catalog
   * @param copy returns the requested part of the catalog; throws when there is no catalog
   * @param statusTablets makes sure that there is a tablet for the transaction with an id; throws
   *     if this master does not lead
   */
  public MasterPeerService(
      ServerIdentity identity,
      Supplier<Set<String>> found,
      Supplier<List<RaftHost.Peer>> members,
      Function<CopyCatalogRequestPB, CopyCatalogResponsePB> copy,
      LongConsumer statusTablets) {
    this.identity = identity;
    this.found = found;
    this.members = members;
    this.copy = copy;
    this.statusTablets = statusTablets;
  }

  public RpcService service() {
    return RpcService.builder(NAME)
        .method(
            INTRODUCE,
            Access.SERVICE,
            IntroduceRequestPB.parser(),
            (request, call) -> call.respond(introduction()))
        .method(
            COPY_CATALOG,
            Access.SERVICE,
            CopyCatalogRequestPB.parser(),
            (request, call) -> call.respond(catalogCopy(request)))
        .method(
            ENSURE_STATUS_TABLET,
            Access.SERVICE,
            EnsureStatusTabletRequestPB.parser(),
            (request, call) -> call.respond(ensureStatusTablet(request)))
        .build();
  }

  private CopyCatalogResponsePB catalogCopy(CopyCatalogRequestPB request) {
    try {
      return copy.apply(request);
    } catch (KuduException e) {
      return CopyCatalogResponsePB.newBuilder().setError(StatusWire.toWire(e)).build();
    }
  }

  private EnsureStatusTabletResponsePB ensureStatusTablet(EnsureStatusTabletRequestPB request) {
    try {
      statusTablets.accept(request.getTxnId());
      return EnsureStatusTabletResponsePB.getDefaultInstance();
    } catch (KuduException e) {
      return EnsureStatusTabletResponsePB.newBuilder()
          .setError(
              MasterErrorPB.newBuilder()
                  .setCode(MasterException.masterCodeOf(e))
                  .setStatus(StatusWire.toWire(e)))
          .build();
    }
  }

  private IntroduceResponsePB introduction() {
    IntroduceResponsePB.Builder answer =
        IntroduceResponsePB.newBuilder()
            .setUuid(ByteString.copyFromUtf8(identity.uuid()))
            .setRaftAddress(ServerIdentity.toWire(identity.raft()))
            .setRpcAddress(ServerIdentity.toWire(identity.rpcAddresses().get(0)));
    found.get().forEach(uuid -> answer.addFoundUuids(ByteString.copyFromUtf8(uuid)));
    members.get().forEach(member -> answer.addMembers(CatalogMembers.toWire(member)));
    return answer.build();
  }
}
