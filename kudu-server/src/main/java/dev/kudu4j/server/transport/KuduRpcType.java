package dev.kudu4j.server.transport;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * The RPC type that Ratis loads by the name of this class. It must be public and have a constructor
 * without arguments; its settings are in the parameters that Ratis passes to it ({@link
 * TransportOptions}).
 */
public final class KuduRpcType implements RpcType {
  @Override
  public String name() {
    return "KUDU";
  }

  @Override
  public ServerFactory newFactory(Parameters parameters) {
    return new Factory(this, TransportOptions.from(parameters));
  }

  private record Factory(KuduRpcType type, TransportOptions options) implements ServerFactory {
    @Override
    public RpcType getRpcType() {
      return type;
    }

    @Override
    public RaftServerRpc newRaftServerRpc(RaftServer server) {
      return new RaftTransport(type, server, options);
    }

    @Override
    public LogAppender newLogAppender(
        RaftServer.Division division, LeaderState leader, FollowerInfo follower) {
      RaftTransport transport = (RaftTransport) division.getRaftServer().getServerRpc();
      return transport.newAppender(division, leader, follower);
    }
  }
}
