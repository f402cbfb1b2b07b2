package dev.kudu4j.tserver.copy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.proto.consensus.OpId;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.CheckTabletCopySessionActiveRequestPB;
import dev.kudu4j.common.proto.copy.CheckTabletCopySessionActiveResponsePB;
import dev.kudu4j.common.proto.copy.DataChunkPB;
import dev.kudu4j.common.proto.copy.DataIdPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.FetchDataRequestPB;
import dev.kudu4j.common.proto.copy.FetchDataResponsePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.logging.ReplicaPrefix;
import dev.kudu4j.server.raft.LogAnchor;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.tablet.checkpoint.PinnedCheckpoint;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The source of copies: provides checkpoints of this server's replicas, leaders and followers, and
 * sends their files in chunks at a limited rate. Long work runs on a separate executor; no thread
 * waits.
 */
final class TabletCopyService {
  static final String NAME = "kudu.tserver.TabletCopyService";

  /**
   * If the log of unflushed rows has at most this size, sending it through Raft is cheaper than a
   * flush before the copy.
   */
  private static final long LITTLE_LOG_BYTES = 256 << 10;

  /**
   * A request for a chunk that would have to wait longer is rejected, because its caller would time
   * out.
   */
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final String serverUuid;
  private final TabletRegistry tablets;
  private final SourceSessions sessions;
  private final TransferThrottle throttle;
  private final CopyMeters meters;
  private final FileStore files;
  private final BufferAllocator allocator;
  private final int chunkBytes;
  private final Executor executor;
  private final ScheduledExecutorService timer;

  /**
   * @param allocator shared; for the bytes that are read
   * @param executor runs reads and flushes
   */
  TabletCopyService(
      String serverUuid,
      TabletRegistry tablets,
      SourceSessions sessions,
      TransferThrottle throttle,
      CopyMeters meters,
      FileStore files,
      BufferAllocator allocator,
      int chunkBytes,
      Executor executor,
      ScheduledExecutorService timer) {
    this.serverUuid = serverUuid;
    this.tablets = tablets;
    this.sessions = sessions;
    this.throttle = throttle;
    this.meters = meters;
    this.files = files;
    this.allocator = allocator;
    this.chunkBytes = chunkBytes;
    this.executor = executor;
    this.timer = timer;
  }

  RpcService service() {
    return RpcService.builder(NAME)
        .method(
            "BeginTabletCopySession",
            Access.SERVICE,
            BeginTabletCopySessionRequestPB.parser(),
            this::begin)
        .method(
            "CheckSessionActive",
            Access.SERVICE,
            CheckTabletCopySessionActiveRequestPB.parser(),
            (request, call) -> call.respond(check(request)))
        .method("FetchData", Access.SERVICE, FetchDataRequestPB.parser(), this::fetch)
        .method(
            "EndTabletCopySession",
            Access.SERVICE,
            EndTabletCopySessionRequestPB.parser(),
            this::end)
        .build();
  }

  private void begin(BeginTabletCopySessionRequestPB request, RpcCall call) {
    executor.execute(
        () -> {
          try {
            call.respond(begin(request));
          } catch (IOException e) {
            call.fail(
                KuduException.ioError(
                    e, "Cannot flush the tablet: %s", String.valueOf(e.getMessage())));
          } catch (RuntimeException e) {
            call.fail(e);
          }
        });
  }

  private BeginTabletCopySessionResponsePB begin(BeginTabletCopySessionRequestPB request)
      throws IOException {
    String requestor = HexId.require("requestor_uuid", request.getRequestorUuid());
    HostedTablet hosted = tablets.running(request.getTabletId());
    TabletReplica replica = hosted.replica();
    if (replica.unflushedLogBytes() > LITTLE_LOG_BYTES || !isFlushed(hosted)) {
      hosted.maintained().flushNow("for a copy to P " + requestor);
    }
    SourceSession session = open(hosted, requestor);
    sessions.add(session);
    if (!hosted.isRunning()) { // the tablet stopped while its checkpoint was being pinned
      sessions.end(session);
      hosted.replica().checkRunning();
    }
    LogPosition logged = replica.lastLogged();
    CopyLogMessages.sourceStarted(replica.prefix(), session);
    return BeginTabletCopySessionResponsePB.newBuilder()
        .setSessionId(ByteString.copyFromUtf8(session.id()))
        .setSessionIdleTimeoutMillis(sessions.idleMillis())
        .setInitialCstate(GroupWire.toWire(replica.consensus()))
        .setResponderUuid(ByteString.copyFromUtf8(serverUuid))
        .setCheckpoint(session.checkpoint().superblock().toByteString())
        .addAllFiles(session.files())
        .setLastLogged(OpId.newBuilder().setTerm(logged.term()).setIndex(logged.index()))
        .build();
  }

  /**
   * Whether the tablet has been flushed. Otherwise there is no checkpoint at which the log of a new
   * member could begin.
   */
  private static boolean isFlushed(HostedTablet hosted) {
    return hosted.tablet().checkpoint().index() >= 0;
  }

  private SourceSession open(HostedTablet hosted, String requestorUuid) {
    LogAnchor hold = hosted.replica().anchorLog(hosted.tablet().checkpoint().index());
    try {
      PinnedCheckpoint checkpoint = hosted.tablet().pinCheckpoint();
      return new SourceSession(
          requestorUuid + "-" + hosted.tabletId() + "-" + UUID.randomUUID(),
          hosted.tabletId(),
          requestorUuid,
          checkpoint,
          hold,
          sessions.nowNanos());
    } catch (RuntimeException e) {
      hold.close();
      throw e;
    }
  }

  private CheckTabletCopySessionActiveResponsePB check(
      CheckTabletCopySessionActiveRequestPB request) {
    String id = request.getSessionId().toStringUtf8();
    SourceSession session = request.getKeepalive() ? sessions.use(id) : sessions.look(id);
    return CheckTabletCopySessionActiveResponsePB.newBuilder()
        .setSessionIsActive(session != null)
        .build();
  }

  private void fetch(FetchDataRequestPB request, RpcCall call) {
    SourceSession session = sessions.required(request.getSessionId().toStringUtf8());
    if (request.getDataId().getType() != DataIdPB.IdType.BLOCK) {
      throw KuduException.invalidArgument(
          "A session of this server has only data files, not %s", request.getDataId().getType());
    }
    String name = request.getDataId().getFileName();
    long max = request.getMaxLength() <= 0 ? chunkBytes : request.getMaxLength();
    int length = session.lengthAt(name, request.getOffset(), Math.min(max, chunkBytes));
    long wait = throttle.reserve(length);
    if (wait > MAX_WAIT_NANOS) {
      call.fail(RpcErrorCode.ERROR_SERVER_TOO_BUSY, "Service unavailable: too many copies wait");
      return;
    }
    Runnable read = () -> read(session, name, request.getOffset(), length, call);
    if (wait == 0) {
      executor.execute(read);
    } else {
      timer.schedule(() -> executor.execute(read), wait, TimeUnit.NANOSECONDS);
    }
  }

  private void read(SourceSession session, String name, long offset, int length, RpcCall call) {
    try {
      if (sessions.use(session.id()) != session) {
        throw KuduException.notFound("The tablet copy session %s has ended", session.id());
      }
      DataChunkPB chunk = session.read(files, allocator, name, offset, length);
      meters.sent(length);
      call.respond(FetchDataResponsePB.newBuilder().setChunk(chunk).build());
    } catch (IOException e) {
      call.fail(
          KuduException.ioError(e, "Cannot read %s: %s", name, String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      call.fail(e);
    }
  }

  private void end(EndTabletCopySessionRequestPB request, RpcCall call) {
    SourceSession session = sessions.required(request.getSessionId().toStringUtf8());
    sessions.end(session);
    ReplicaPrefix tablet = new ReplicaPrefix(session.tabletId(), serverUuid);
    long nanos = sessions.nowNanos() - session.startedNanos();
    if (request.getIsSuccess()) {
      CopyLogMessages.sent(tablet, session, nanos);
    } else {
      CopyLogMessages.givenUp(tablet, session, request.getError().getMessage(), nanos);
    }
    call.respond(EndTabletCopySessionResponsePB.getDefaultInstance());
  }
}
