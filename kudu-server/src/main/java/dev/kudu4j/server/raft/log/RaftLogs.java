package dev.kudu4j.server.raft.log;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.util.ProtoUtils;

/**
 * The directories of a process' Raft logs, and the files in them:
 *
 * <pre>
 *   &lt;directory&gt;/&lt;group&gt;/current/   written by Ratis: log files, vote, configuration
 *   &lt;directory&gt;/&lt;group&gt;/founders   the members, until the log names them
 *   &lt;directory&gt;/&lt;group&gt;/joining    exists until a configuration names this server
 * </pre>
 */
public final class RaftLogs {
  /** Group of the catalog's tablet, whose id is all zeros. Ratis reserves the UUID of all zeros. */
  private static final UUID ZEROS_STAND_IN = new UUID(0x6b756475346a0000L, 0x8000636174616c67L);

  private static final String JOINING = "joining";
  private static final String FOUNDERS = "founders";
  private static final String CONFIGURATION = "raft-meta.conf"; // as Ratis calls it

  private RaftLogs() {}

  /** The group of a tablet: its id, 32 hex digits, as a UUID. */
  public static RaftGroupId groupId(String tabletId) {
    HexId.require("The id of a tablet", tabletId); // an id in upper case would name the same group
    UUID uuid =
        new UUID(
            Long.parseUnsignedLong(tabletId.substring(0, 16), 16),
            Long.parseUnsignedLong(tabletId.substring(16), 16));
    boolean zeros = uuid.getMostSignificantBits() == 0 && uuid.getLeastSignificantBits() == 0;
    return RaftGroupId.valueOf(zeros ? ZEROS_STAND_IN : uuid);
  }

  public static Path directory(Path directory, String tabletId) {
    return directory.resolve(groupId(tabletId).getUuid().toString());
  }

  /** Whether the tablet has a log. The remains of a creation that crashed are not a log. */
  public static boolean exists(Path directory, String tabletId) {
    return Files.exists(current(directory, tabletId).resolve(CONFIGURATION))
        || Files.exists(directory(directory, tabletId).resolve(FOUNDERS));
  }

  private static Path current(Path directory, String tabletId) {
    return directory(directory, tabletId).resolve("current");
  }

  /**
   * Removes the log of a group that does not run; the removal is durable when this method returns.
   * The files that {@link #exists} looks for are removed first, so the remains after a crash are
   * not mistaken for a log.
   */
  public static void delete(Path directory, String tabletId) throws IOException {
    delete(new LocalFileStore(), directory, tabletId);
  }

  private static void delete(FileStore files, Path directory, String tabletId) throws IOException {
    Path log = directory(directory, tabletId);
    if (files.exists(log)) {
      deleteFile(files, log.resolve(FOUNDERS)); // exists() still finds the configuration
      deleteFile(files, current(directory, tabletId).resolve(CONFIGURATION));
      files.deleteTree(log);
      files.syncDirectory(directory);
    }
  }

  private static void deleteFile(FileStore files, Path file) throws IOException {
    if (files.exists(file)) {
      files.delete(file);
      files.syncDirectory(Objects.requireNonNull(file.getParent()));
    }
  }

  /**
   * Creates an empty log of a new group. The members are recorded immediately, so {@link #exists}
   * finds the log, and with it the last vote, even if the server restarts before it has received an
   * entry.
   */
  public static void makeFounding(Path directory, String tabletId, List<RaftPeer> founders)
      throws IOException {
    FileStore files = new LocalFileStore();
    delete(files, directory, tabletId); // remains of an earlier attempt
    LastVote.NONE.write(files, current(directory, tabletId));
    files.replace( // from here on the log exists
        directory(directory, tabletId).resolve(FOUNDERS),
        membership(founders, List.of()).toByteArray());
  }

  /**
   * The initial members of the group, as long as no configuration is in this log; otherwise empty.
   */
  public static List<RaftPeer> founders(Path directory, String tabletId) throws IOException {
    Path file = directory(directory, tabletId).resolve(FOUNDERS);
    if (Files.exists(current(directory, tabletId).resolve(CONFIGURATION)) || !Files.exists(file)) {
      return List.of();
    }
    try (InputStream in = Files.newInputStream(file)) {
      return RaftConfigurationProto.parseFrom(in).getPeersList().stream()
          .map(ProtoUtils::toRaftPeer)
          .toList();
    }
  }

  /**
   * Creates an empty log that begins after a copied checkpoint, for a server that is not a member
   * yet.
   *
   * @param configuration the members that apply until the leader sends a configuration
   */
  public static void makeJoining(
      Path directory, String tabletId, LogEntryProto configuration, LastVote vote)
      throws IOException {
    makeJoining(new LocalFileStore(), directory, tabletId, configuration, vote);
  }

  /**
   * Like {@link #makeJoining(Path, String, LogEntryProto, LastVote)}, with a given file store. Each
   * step is durable before the next one, so a crash leaves no log or a complete log.
   */
  static void makeJoining(
      FileStore files, Path directory, String tabletId, LogEntryProto configuration, LastVote vote)
      throws IOException {
    delete(files, directory, tabletId); // remains of an earlier attempt
    Path current = current(directory, tabletId);
    files.replace(directory(directory, tabletId).resolve(JOINING), new byte[0]);
    vote.atLeast(configuration.getTerm()).write(files, current); // now Ratis could open the log
    files.replace(current.resolve(CONFIGURATION), configuration.toByteArray()); // the log exists
  }

  public static boolean isJoining(Path directory, String tabletId) {
    return Files.exists(directory(directory, tabletId).resolve(JOINING));
  }

  /** Records that this server has joined the group, because the group's configuration names it. */
  public static void hasJoined(Path directory, String tabletId) throws IOException {
    Files.deleteIfExists(directory(directory, tabletId).resolve(JOINING));
  }

  public static LogEntryProto configuration(
      LogPosition position, List<RaftPeer> voters, List<RaftPeer> listeners) {
    return LogEntryProto.newBuilder()
        .setTerm(position.term())
        .setIndex(position.index())
        .setConfigurationEntry(membership(voters, listeners))
        .build();
  }

  private static RaftConfigurationProto membership(
      List<RaftPeer> voters, List<RaftPeer> listeners) {
    RaftConfigurationProto.Builder membership = RaftConfigurationProto.newBuilder();
    voters.forEach(peer -> membership.addPeers(peer.getRaftPeerProto()));
    listeners.forEach(peer -> membership.addListeners(peer.getRaftPeerProto()));
    return membership.build();
  }
}
