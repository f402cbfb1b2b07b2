package dev.kudu4j.server.transport;

import org.apache.ratis.protocol.RaftPeerId;

/**
 * The first frame of a connection: who calls, whom it looks for, and what for. A text, so that a
 * dump of the line explains itself.
 */
record Hello(Purpose purpose, String from, String to) {
  private static final String MAGIC = "K4RAFT01";

  Hello(Purpose purpose, RaftPeerId from, RaftPeerId to) {
    this(purpose, from.toString(), to.toString());
  }

  String text() {
    return String.join(" ", MAGIC, purpose.name(), from, to);
  }

  /** The hello that a text says, or null when it says none. */
  static Hello parse(String text) {
    String[] words = text.split(" ", -1);
    if (words.length != 4 || !words[0].equals(MAGIC)) {
      return null;
    }
    for (Purpose purpose : Purpose.values()) {
      if (purpose.name().equals(words[1])) {
        return new Hello(purpose, words[2], words[3]);
      }
    }
    return null;
  }
}
