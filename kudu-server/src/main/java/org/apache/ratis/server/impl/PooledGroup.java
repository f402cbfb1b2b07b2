package org.apache.ratis.server.impl;

import dev.kudu4j.server.raft.threads.RaftThreads;
import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogBase;
import org.apache.ratis.server.raftlog.segmented.PooledLogWriter;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.util.JavaUtils;
import org.jspecify.annotations.NullMarked;

/** Attaches a group to the threads that all groups share. */
@NullMarked
public final class PooledGroup {
  private PooledGroup() {}

  /**
   * Replaces the parts of a group that would start threads. Called while the group starts, from
   * {@link StateMachine#initialize}: then the storage is open, and the log, the updater and the
   * role are not yet used.
   *
   * @throws IllegalStateException if Ratis has changed
   */
  public static void attach(
      RaftServer.Division division, RaftStorage storage, RaftThreads threads) {
    RaftServerImpl server = (RaftServerImpl) division;
    ServerState state = server.getState();
    try {
      set(server, RaftServerImpl.class, "role", new PooledRoles(server.getId(), threads));
      set(
          state,
          ServerState.class,
          "log",
          JavaUtils.memoize(() -> openLog(server, state, storage, threads)));
      set(
          state,
          ServerState.class,
          "stateMachineUpdater",
          JavaUtils.memoize(
              () -> new PooledUpdater(server.getStateMachine(), server, state, threads)));
    } catch (ReflectiveOperationException e) {
      throw changed(e);
    }
  }

  /**
   * Handles a heartbeat of a leader that sends no entries, without the group's lock.
   *
   * @param term the term of the leader
   * @param commitIndex the leader's commit index
   * @return whether this member follows this leader in this term, and has the same commit index.
   *     Otherwise the heartbeat has had no effect
   */
  public static boolean recordHeartbeat(
      RaftServer host, RaftGroupId group, RaftPeerId leader, long term, long commitIndex) {
    RaftServerImpl server;
    try {
      server = (RaftServerImpl) host.getDivision(group);
    } catch (IOException e) {
      return false; // the group does not run here
    }
    FollowerState follower = server.getRole().getFollowerState().orElse(null);
    if (follower == null
        || !server.isRunning()
        || !((RaftLogBase) server.getRaftLog()).isOpened()
        || server.getState().getCurrentTerm() != term
        || !leader.equals(server.getState().getLeaderId())
        || server.getRaftLog().getLastCommittedIndex() != commitIndex) {
      return false;
    }
    follower.updateLastRpcTime(FollowerState.UpdateType.REQUEST_VOTE); // counts no operation
    return true;
  }

  static IllegalStateException changed(ReflectiveOperationException e) {
    return new IllegalStateException("This version of Ratis lacks a member that is needed", e);
  }

  private static void set(Object owner, Class<?> type, String name, Object value)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    field.set(owner, value);
  }

  private static RaftLog openLog(
      RaftServerImpl server, ServerState state, RaftStorage storage, RaftThreads threads) {
    RaftProperties properties = server.getRaftServer().getProperties();
    SegmentedRaftLog log =
        SegmentedRaftLog.newBuilder()
            .setMemberId(server.getMemberId())
            .setServer(server)
            .setNotifyTruncatedLogEntry(server::notifyTruncatedLogEntry)
            .setGetTransactionContext(server::getTransactionContext)
            .setSubmitUpdateCommitEvent(server::submitUpdateCommitEvent)
            .setStorage(storage)
            .setSnapshotIndexSupplier(() -> checkpointIndex(server.getStateMachine()))
            .setProperties(properties)
            .build();
    try {
      PooledLogWriter.install(log, server, threads);
      log.open(
          log.getSnapshotIndex(),
          entry -> {
            if (entry.hasConfigurationEntry()) {
              state.setRaftConf(LogProtoUtils.toRaftConfiguration(entry));
            }
          });
    } catch (ReflectiveOperationException e) {
      throw changed(e);
    } catch (IOException e) {
      throw new IllegalStateException(server.getMemberId() + ": the log cannot be opened", e);
    }
    return log;
  }

  private static long checkpointIndex(StateMachine machine) {
    SnapshotInfo checkpoint = machine.getLatestSnapshot();
    return checkpoint == null || checkpoint.getIndex() < 0
        ? RaftLog.INVALID_LOG_INDEX
        : checkpoint.getIndex();
  }
}
