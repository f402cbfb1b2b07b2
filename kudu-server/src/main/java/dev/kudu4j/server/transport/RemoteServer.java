package dev.kudu4j.server.transport;

import dev.kudu4j.common.rpc.RateLimitedLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.Empty;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Another server as a target of messages: two connections, the window of unanswered bytes, and the
 * appenders of all groups with a follower on that server.
 */
final class RemoteServer implements OutgoingConnection.Owner {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(RemoteServer.class));
  private static final int TICKS_WHILE_DOWN = 5;

  private final RaftPeerId id;
  private volatile InetSocketAddress address;
  private final OutgoingConnection data;
  private final OutgoingConnection control;
  private final SendWindow window = new SendWindow(TransportOptions.WINDOW_BYTES);
  private final Set<GroupAppender> appenders = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Features features; // null until asked
  private int ticks; // only the timer's thread accesses this

  /**
   * @param opener creates a connection for a purpose, without opening it
   */
  RemoteServer(
      RaftPeerId id,
      InetSocketAddress address,
      BiFunction<RemoteServer, Purpose, OutgoingConnection> opener) {
    this.id = id;
    this.address = address;
    this.data = opener.apply(this, Purpose.DATA);
    this.control = opener.apply(this, Purpose.CONTROL);
  }

  RaftPeerId id() {
    return id;
  }

  InetSocketAddress address() {
    return address;
  }

  /** Sets a new address, which is used when a connection is opened the next time. */
  void movedTo(InetSocketAddress newAddress) {
    address = newAddress;
  }

  OutgoingConnection data() {
    return data;
  }

  OutgoingConnection control() {
    return control;
  }

  SendWindow window() {
    return window;
  }

  void add(GroupAppender appender) {
    appenders.add(appender);
  }

  void remove(GroupAppender appender) {
    appenders.remove(appender);
  }

  /**
   * Checks which groups must send a heartbeat. Checks less often while the control connection is
   * down.
   */
  void tick() {
    if (!control.isUp() && ticks++ % TICKS_WHILE_DOWN != 0) {
      return;
    }
    Beats beats = control.isUp() && understandsBeats() ? new Beats() : null;
    for (GroupAppender appender : appenders) {
      try {
        appender.tick(beats);
      } catch (RuntimeException e) { // the other groups need their heartbeats
        LOG.warn("{} sent no heartbeat", appender, e);
      }
    }
    if (beats != null) {
      beats.sendTo(control);
    }
  }

  /** Whether the other server has said that it understands {@link Beats}; asks it once. */
  private boolean understandsBeats() {
    Features known = features;
    if (known == null) {
      Features asked = new Features();
      features = asked;
      control.send(MessageKind.PING, Empty.getDefaultInstance(), asked);
      return false;
    }
    return known.beats;
  }

  /** The features of the other server, according to its response to a ping. */
  private static final class Features implements AnswerHandler {
    private volatile boolean beats;

    @Override
    public void answered(CodedInputStream body) throws IOException {
      beats = StringValue.parseFrom(body).getValue().equals(Beats.FEATURE);
    }

    @Override
    public void failed(CallFailure failure) {
      // the connection is lost; its successor asks again
    }
  }

  @Override
  public void up() {
    features = null; // it may be another version now
    appenders.forEach(GroupAppender::wake);
  }

  @Override
  public boolean isNeeded() {
    return !appenders.isEmpty();
  }

  void close() {
    data.close();
    control.close();
  }
}
