package dev.kudu4j.server.raft.log;

import dev.kudu4j.tablet.env.FileStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The last vote of a replica, which Ratis keeps next to the log. When a log is removed, the vote
 * must be kept if the server may join the same group again: a server that has lost its vote could
 * vote twice in one term, and two leaders could be elected.
 *
 * @param term term of the vote, which is the highest term that the replica has seen
 * @param candidate server that got the vote; empty if no server got the vote in this term
 */
public record LastVote(long term, String candidate) {
  /** The vote of a server that was never in the group. */
  public static final LastVote NONE = new LastVote(0, "");

  private static final String FILE = "raft-meta";
  private static final String TERM = "term";
  private static final String CANDIDATE = "votedFor";

  /** The vote of a replica whose log is in the directory of logs, or NONE. */
  public static LastVote of(Path directory, String tabletId) throws IOException {
    Path file = RaftLogs.directory(directory, tabletId).resolve("current").resolve(FILE);
    if (!Files.exists(file)) {
      return NONE;
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    try {
      return new LastVote(
          Long.parseLong(properties.getProperty(TERM, "")), properties.getProperty(CANDIDATE, ""));
    } catch (NumberFormatException e) {
      throw new IOException("The vote in " + file + " cannot be read", e);
    }
  }

  /**
   * This vote, if its term is at least {@code otherTerm}; otherwise no vote in {@code otherTerm}.
   */
  LastVote atLeast(long otherTerm) {
    return otherTerm > term ? new LastVote(otherTerm, "") : this;
  }

  /** Replaces the file of the vote durably. If the replacement fails, the old file remains. */
  public void write(FileStore files, Path current) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(TERM, Long.toString(term));
    properties.setProperty(CANDIDATE, candidate);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    properties.store(content, "");
    files.replace(current.resolve(FILE), content.toByteArray());
  }
}
