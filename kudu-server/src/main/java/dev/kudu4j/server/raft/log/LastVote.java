package dev.kudu4j.server.raft.log;

import dev.kudu4j.tablet.env.FileStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Whom a replica has voted for last, as Ratis keeps it beside the log. Whoever removes a log and
 * may later join the same group again keeps this: a server that has forgotten its vote could vote
 * twice in one term, and two leaders be elected.
 *
 * @param term of the vote, and the highest that was seen
 * @param candidate server that was voted for; empty when there was none in this term
 */
public record LastVote(long term, String candidate) {
  /** Of a server that never was in the group. */
  public static final LastVote NONE = new LastVote(0, "");

  private static final String FILE = "raft-meta";
  private static final String TERM = "term";
  private static final String CANDIDATE = "votedFor";

  /** Of a replica whose log lies in the directory of logs, or NONE. */
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

  /** The vote of a replica that knows of this term as well. */
  LastVote atLeast(long otherTerm) {
    return otherTerm > term ? new LastVote(otherTerm, "") : this;
  }

  /** Replaces the file, durably; when this fails the one before is there. */
  public void write(FileStore files, Path current) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(TERM, Long.toString(term));
    properties.setProperty(CANDIDATE, candidate);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    properties.store(content, "");
    files.replace(current.resolve(FILE), content.toByteArray());
  }
}
