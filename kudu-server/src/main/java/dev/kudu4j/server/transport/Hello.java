package dev.kudu4j.server.transport;

import java.util.regex.Pattern;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;

/**
 * The first frame of a connection: the caller, the server that it wants to reach, and the purpose.
 * It is text, which makes packet dumps readable.
 *
 * @param nonce fresh random bytes of the caller, in hex, if the caller has a cluster secret;
 *     otherwise empty
 */
record Hello(Purpose purpose, String from, String to, String nonce) {
  private static final String PLAIN = "K4RAFT01";
  private static final String SECRET = "K4RAFT02";

  /**
   * The names of servers that are accepted. They are restricted because names are logged and used
   * as map keys.
   */
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z_.-]{1,64}");

  Hello(Purpose purpose, RaftPeerId from, RaftPeerId to) {
    this(purpose, from.toString(), to.toString(), "");
  }

  Hello withNonce(String fresh) {
    return new Hello(purpose, from, to, fresh);
  }

  boolean wantsProof() {
    return !nonce.isEmpty();
  }

  String text() {
    return wantsProof()
        ? String.join(" ", SECRET, purpose.name(), from, to, nonce)
        : String.join(" ", PLAIN, purpose.name(), from, to);
  }

  /** Parses a hello; returns null if the text is not a hello. */
  static @Nullable Hello parse(String text) {
    String[] words = text.split(" ", 6);
    boolean plain = words.length == 4 && words[0].equals(PLAIN);
    boolean secret = words.length == 5 && words[0].equals(SECRET) && Handshake.isNonce(words[4]);
    if ((!plain && !secret) || !isName(words[2]) || !isName(words[3])) {
      return null;
    }
    for (Purpose purpose : Purpose.values()) {
      if (purpose.name().equals(words[1])) {
        return new Hello(purpose, words[2], words[3], secret ? words[4] : "");
      }
    }
    return null;
  }

  private static boolean isName(String word) {
    return NAME.matcher(word).matches();
  }
}
