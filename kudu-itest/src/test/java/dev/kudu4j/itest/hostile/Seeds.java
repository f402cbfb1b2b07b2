package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.at;
import static dev.kudu4j.itest.hostile.Forgery.text;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.CheckClaimsRequestPB;
import dev.kudu4j.common.proto.cluster.ClaimValuesRequestPB;
import dev.kudu4j.common.proto.cluster.CompactTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.ReadIndexRowsRequestPB;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesRequestPB;
import dev.kudu4j.common.proto.common.ColumnPredicatePB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.GetConsensusStateRequestPB;
import dev.kudu4j.common.proto.consensus.GetLastOpIdRequestPB;
import dev.kudu4j.common.proto.consensus.GetNodeInstanceRequestPB;
import dev.kudu4j.common.proto.consensus.IncludeHealthReport;
import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.OpIdType;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.RunLeaderElectionRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigRequestPB;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.CheckTabletCopySessionActiveRequestPB;
import dev.kudu4j.common.proto.copy.DataIdPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.FetchDataRequestPB;
import dev.kudu4j.common.proto.index.DerivationPB;
import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.ChangeTServerStateRequestPB;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.GetIndexProgressRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTabletLocationsRequestPB;
import dev.kudu4j.common.proto.master.IsAlterTableDoneRequestPB;
import dev.kudu4j.common.proto.master.IsCreateTableDoneRequestPB;
import dev.kudu4j.common.proto.master.ListInFlightTablesRequestPB;
import dev.kudu4j.common.proto.master.ListMastersRequestPB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.PartitionKeyPB;
import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.RebalanceRequestPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.RefreshAuthzCacheRequestPB;
import dev.kudu4j.common.proto.master.RemoveMasterRequestPB;
import dev.kudu4j.common.proto.master.ReplaceTabletRequestPB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsRequestPB;
import dev.kudu4j.common.proto.master.TServerStateChangePB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.proto.masters.CopyCatalogRequestPB;
import dev.kudu4j.common.proto.masters.EnsureStatusTabletRequestPB;
import dev.kudu4j.common.proto.masters.IntroduceRequestPB;
import dev.kudu4j.common.proto.replication.AskSafeTimeRequestPB;
import dev.kudu4j.common.proto.replication.LeaderWordPB;
import dev.kudu4j.common.proto.replication.UpdateReplicasRequestPB;
import dev.kudu4j.common.proto.server.CheckLeaksRequestPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersRequestPB;
import dev.kudu4j.common.proto.server.FlushCoverageRequestPB;
import dev.kudu4j.common.proto.server.GetFlagsRequestPB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.ServerClockRequestPB;
import dev.kudu4j.common.proto.server.SetFlagRequestPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.transactions.AbortTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.BeginTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.CommitTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.CoordinateTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB;
import dev.kudu4j.common.proto.transactions.GetTransactionStateRequestPB;
import dev.kudu4j.common.proto.transactions.KeepTransactionAliveRequestPB;
import dev.kudu4j.common.proto.transactions.ParticipantOpPB;
import dev.kudu4j.common.proto.transactions.ParticipantRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ContinueChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerRequestPB;
import dev.kudu4j.common.proto.tserver.ReadChangesRequestPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import java.util.ArrayList;
import java.util.List;

/**
 * One or more valid requests for each method of each service, to be mutated.
 *
 * <p>An object that a method may destroy with a valid request was created for it (see {@link
 * Scene}), or does not exist: its ids consist of one digit. For the same reason no heartbeat is in
 * the name of a server that exists: without a cluster secret, a later instance of it is its
 * successor.
 */
final class Seeds {
  private static final String GENERIC = Target.GENERIC;
  private static final String CONSENSUS = PathAttacks.CONSENSUS;
  private static final String ADMIN = PathAttacks.ADMIN;
  private static final String TABLETS = HostileCluster.TABLET_SERVICE;
  private static final String COPY = "kudu.tserver.TabletCopyService";
  private static final String PEERS = "kudu4j.replication.PeerService";
  private static final String MASTER = RegistrationAttacks.MASTER;
  private static final String MASTERS = "kudu4j.masters.MasterPeerService";
  private static final String TRANSACTIONS = "kudu.transactions.TxnManagerService";

  private static final String NOBODY = "7".repeat(32);
  private static final HostPortPB NOWHERE = at("127.0.0.1", 9);

  private final Scene scene;
  private final List<Seed> all = new ArrayList<>();

  /** A request of a method. */
  record Seed(String service, String method, Message request) {
    /** Whether it is a service of masters, and not of tablet servers. */
    boolean isForMasters() {
      return service.equals(MASTER) || service.equals(MASTERS) || service.equals(TRANSACTIONS);
    }

    String name() {
      return service + "." + method;
    }
  }

  private Seeds(Scene scene) {
    this.scene = scene;
  }

  static List<Seed> of(Scene scene) {
    Seeds seeds = new Seeds(scene);
    seeds.generic();
    seeds.consensus();
    seeds.membership();
    seeds.peers();
    seeds.reads();
    seeds.writes();
    seeds.tabletAdministration();
    seeds.copies();
    seeds.masterIdentity();
    seeds.servers();
    seeds.tables();
    seeds.lookups();
    return List.copyOf(seeds.all);
  }

  private void add(String service, String method, Message request) {
    all.add(new Seed(service, method, request));
  }

  private void generic() {
    add(GENERIC, "GetStatus", GetStatusRequestPB.getDefaultInstance());
    add(
        GENERIC,
        "GetFlags",
        GetFlagsRequestPB.newBuilder().setAllFlags(true).addTags("stable").build());
    add(
        GENERIC,
        "SetFlag",
        SetFlagRequestPB.newBuilder().setFlag("no_such_flag").setValue("1").setForce(true).build());
    add(GENERIC, "ServerClock", ServerClockRequestPB.getDefaultInstance());
    add(GENERIC, "DumpMemTrackers", DumpMemTrackersRequestPB.getDefaultInstance());
    add(GENERIC, "FlushCoverage", FlushCoverageRequestPB.getDefaultInstance());
    add(GENERIC, "CheckLeaks", CheckLeaksRequestPB.getDefaultInstance());
  }

  private ByteString destination() {
    return text(scene.tabletServer());
  }

  private void consensus() {
    add(
        CONSENSUS,
        "GetConsensusState",
        GetConsensusStateRequestPB.newBuilder()
            .setDestUuid(destination())
            .addTabletIds(text(scene.read()))
            .setReportHealth(IncludeHealthReport.INCLUDE_HEALTH_REPORT)
            .build());
    add(
        CONSENSUS,
        "GetLastOpId",
        GetLastOpIdRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text(scene.read()))
            .setOpidType(OpIdType.COMMITTED_OPID)
            .build());
    add(CONSENSUS, "GetNodeInstance", GetNodeInstanceRequestPB.getDefaultInstance());
    add(
        CONSENSUS,
        "LeaderStepDown",
        LeaderStepDownRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text(scene.shaken()))
            .setMode(LeaderStepDownMode.GRACEFUL)
            .setNewLeaderUuid(text(NOBODY))
            .build());
    add(
        CONSENSUS,
        "RunLeaderElection",
        RunLeaderElectionRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text(scene.shaken()))
            .build());
    add(
        CONSENSUS,
        "StartTabletCopy",
        StartTabletCopyRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text("5".repeat(32)))
            .setCopyPeerUuid(text(NOBODY))
            .setCopyPeerAddr(NOWHERE)
            .setCallerTerm(1)
            .build());
  }

  private void membership() {
    RaftPeerPB peer =
        RaftPeerPB.newBuilder()
            .setPermanentUuid(text(NOBODY))
            .setMemberType(RaftPeerPB.MemberType.NON_VOTER)
            .setLastKnownAddr(NOWHERE)
            .setRaftAddr(NOWHERE)
            .build();
    add(
        CONSENSUS,
        "ChangeConfig",
        ChangeConfigRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text(scene.shaken()))
            .setType(ChangeConfigType.ADD_PEER)
            .setServer(peer)
            .setCasConfigOpidIndex(1)
            .build());
    add(
        CONSENSUS,
        "BulkChangeConfig",
        BulkChangeConfigRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text(scene.shaken()))
            .addConfigChanges(
                BulkChangeConfigRequestPB.ConfigChangeItemPB.newBuilder()
                    .setType(ChangeConfigType.MODIFY_PEER)
                    .setPeer(peer))
            .build());
    add(
        CONSENSUS,
        "UnsafeChangeConfig",
        UnsafeChangeConfigRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text("5".repeat(32)))
            .setCallerId(text("fuzzer"))
            .setNewConfig(RaftConfigPB.newBuilder().setOpidIndex(1).addPeers(peer))
            .build());
  }

  private void peers() {
    add(
        PEERS,
        "UpdateReplicas",
        UpdateReplicasRequestPB.newBuilder()
            .setSenderUuid(text(NOBODY))
            .setSenderAddress(NOWHERE)
            .setDestUuid(destination())
            .setClock(now())
            .addWords(
                LeaderWordPB.newBuilder()
                    .setTabletId(text(scene.shaken()))
                    .setTerm(1)
                    .setSafeTime(now())
                    .setSafeIndex(1)
                    .setHeldByAll(1))
            .build());
    add(
        PEERS,
        "AskSafeTime",
        AskSafeTimeRequestPB.newBuilder()
            .setTabletId(text(scene.shaken()))
            .setDestUuid(destination())
            .setSnapshot(now())
            .setNameOne(true)
            .build());
  }

  private static long now() {
    return (System.currentTimeMillis() * 1000) << 12;
  }

  private void reads() {
    NewScanRequestPB scan =
        NewScanRequestPB.newBuilder()
            .setTabletId(text(scene.read()))
            .addAllProjectedColumns(Forgery.schema().getColumnsList())
            .setReadMode(ReadMode.READ_LATEST)
            .setLimit(10)
            .setStartPrimaryKey(text("\0\0\0\0\0\0\0\1"))
            .setStopPrimaryKey(text("\177\0\0\0\0\0\0\1"))
            .addColumnPredicates(
                ColumnPredicatePB.newBuilder()
                    .setColumn("text")
                    .setRange(ColumnPredicatePB.Range.newBuilder().setLower(text("a"))))
            .build();
    ScanRequestPB open =
        ScanRequestPB.newBuilder()
            .setNewScanRequest(scan)
            .setCallSeqId(0)
            .setBatchSizeBytes(1000)
            .build();
    add(TABLETS, "Scan", open);
    NewScanRequestPB snapshot =
        scan.toBuilder()
            .setReadMode(ReadMode.READ_AT_SNAPSHOT)
            .setSnapTimestamp(now())
            .addColumnPredicates(
                ColumnPredicatePB.newBuilder()
                    .setColumn("id")
                    .setInList(
                        ColumnPredicatePB.InList.newBuilder()
                            .addValues(text("12345678"))
                            .addValues(text("23456789"))))
            .build();
    add(TABLETS, "Scan", open.toBuilder().setNewScanRequest(snapshot).build());
    add(
        TABLETS,
        "Scan",
        ScanRequestPB.newBuilder().setScannerId(text(NOBODY)).setCallSeqId(1).build());
    add(
        TABLETS,
        "ScannerKeepAlive",
        ScannerKeepAliveRequestPB.newBuilder().setScannerId(text(NOBODY)).build());
    add(
        TABLETS,
        "SplitKeyRange",
        SplitKeyRangeRequestPB.newBuilder()
            .setTabletId(text(scene.read()))
            .setTargetChunkSizeBytes(1000)
            .addColumns(HostileCluster.column("text", DataType.STRING, false))
            .build());
    add(
        TABLETS,
        "Checksum",
        ChecksumRequestPB.newBuilder().setNewRequest(scan).setCallSeqId(0).build());
    add(
        TABLETS,
        "Checksum",
        ChecksumRequestPB.newBuilder()
            .setContinueRequest(
                ContinueChecksumRequestPB.newBuilder()
                    .setScannerId(text(NOBODY))
                    .setPreviousChecksum(1))
            .setCallSeqId(1)
            .build());
    add(
        TABLETS,
        "ReadChanges",
        ReadChangesRequestPB.newBuilder()
            .setTabletId(text(scene.read()))
            .addProjectedColumns(HostileCluster.column("id", DataType.INT64, true))
            .setFromTimestamp(1)
            .setAfterKey(text("12345678"))
            .setEndTimestamp(Long.MAX_VALUE)
            .setMaxChanges(10)
            .setBatchSizeBytes(1000)
            .build());
    add(
        TABLETS,
        "ReadChanges",
        ReadChangesRequestPB.newBuilder()
            .setTabletId(text(scene.read()))
            .addProjectedColumns(HostileCluster.column("id", DataType.INT64, true))
            .setFromTimestamp(Long.MAX_VALUE)
            .setAfterKey(text(""))
            .setEndTimestamp(0)
            .build());
    add(TABLETS, "ListTablets", ListTabletsRequestPB.newBuilder().setNeedSchemaInfo(true).build());
    add(TABLETS, "Ping", dev.kudu4j.common.proto.tserver.PingRequestPB.getDefaultInstance());
  }

  private void writes() {
    add(TABLETS, "Write", Forgery.write(scene.read(), 3, 16).setPropagatedTimestamp(now()).build());
    add(TABLETS, "Write", Forgery.write(scene.read(), 40, 3).build());
  }

  private void tabletAdministration() {
    add(
        ADMIN,
        "CreateTablet",
        CreateTabletRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text("6".repeat(32)))
            .setTableId(text("f".repeat(32)))
            .setTableName("forged")
            .setSchema(Forgery.schemaWithIds())
            .setSchemaVersion(0)
            .setPartition(PartitionPB.getDefaultInstance())
            .setPartitionSchema(PartitionSchemaPB.getDefaultInstance())
            .setConfig(
                RaftConfigPB.newBuilder()
                    .setOpidIndex(-1)
                    .addPeers(
                        RaftPeerPB.newBuilder()
                            .setPermanentUuid(destination())
                            .setMemberType(RaftPeerPB.MemberType.VOTER)
                            .setLastKnownAddr(NOWHERE)
                            .setRaftAddr(NOWHERE)))
            .setDestInstanceSeqno(scene.tabletServerInstance())
            .build());
    add(
        ADMIN,
        "AlterSchema",
        AlterSchemaRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text("5".repeat(32)))
            .setSchema(Forgery.schemaWithIds())
            .setSchemaVersion(1)
            .setTableName("forged")
            .build());
    add(
        ADMIN,
        "DeleteTablet",
        DeleteTabletRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text("5".repeat(32)))
            .setReason("no reason")
            .setDeleteType(TabletDataState.TABLET_DATA_TOMBSTONED)
            .build());
    add(
        ADMIN,
        "FlushTablet",
        FlushTabletRequestPB.newBuilder().setTabletId(text(scene.read())).build());
    add(
        ADMIN,
        "CompactTablet",
        CompactTabletRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text(scene.read()))
            .build());
    add(
        ADMIN,
        "VerifyIndexes",
        VerifyIndexesRequestPB.newBuilder()
            .setDestUuid(destination())
            .setTabletId(text(scene.read()))
            .build());
    add(
        ADMIN,
        "ReadIndexRows",
        ReadIndexRowsRequestPB.newBuilder()
            .setTabletId(text(scene.read()))
            .setDerivation(
                DerivationPB.newBuilder()
                    .setIndex(IndexPB.newBuilder().setName("forged").setKind(1).addColumnIds(0))
                    .setBuildTimestamp(1))
            .setPartition(PartitionPB.getDefaultInstance())
            .setPartitionSchema(PartitionSchemaPB.getDefaultInstance())
            .setFromTimestamp(1)
            .setMaxBytes(1000)
            .build());
    ByteString forged = text("forged");
    add(
        ADMIN,
        "ClaimValues",
        ClaimValuesRequestPB.newBuilder()
            .setTabletId(text(scene.read()))
            .setOwnerTabletId(text(NOBODY))
            .setTerm(1)
            .addOperations(
                ClaimValuesRequestPB.OperationPB.newBuilder()
                    .setValue(forged)
                    .setOwner(forged)
                    .setNumber(1)
                    .setVoidClaim(
                        ClaimValuesRequestPB.VoidClaimPB.newBuilder()
                            .setOwner(forged)
                            .setOwnerTabletId(text(NOBODY))))
            .build());
    add(
        ADMIN,
        "CheckClaims",
        CheckClaimsRequestPB.newBuilder()
            .setTabletId(text(scene.read()))
            .setIndexId(1)
            .addClaims(CheckClaimsRequestPB.ClaimPB.newBuilder().setValue(forged).setOwner(forged))
            .build());
    add(
        ADMIN,
        "CoordinateTransaction",
        CoordinateTransactionRequestPB.newBuilder()
            .setTxnStatusTabletId(text(NOBODY))
            .setOp(
                CoordinatorOpPB.newBuilder()
                    .setType(CoordinatorOpPB.CoordinatorOpType.REGISTER_PARTICIPANT)
                    .setTxnId(1)
                    .setTxnParticipantId(NOBODY)
                    .setUser("mallory"))
            .build());
    add(
        ADMIN,
        "ParticipateInTransaction",
        ParticipantRequestPB.newBuilder()
            .setTabletId(text(NOBODY))
            .setOp(
                ParticipantOpPB.newBuilder()
                    .setType(ParticipantOpPB.ParticipantOpType.BEGIN_COMMIT)
                    .setTxnId(1)
                    .setFinalizedCommitTimestamp(1L << 60)
                    .setCoordinatorTerm(3))
            .build());
    add(ADMIN, "Quiesce", QuiesceTabletServerRequestPB.newBuilder().setReturnStats(true).build());
  }

  private void copies() {
    add(
        COPY,
        "BeginTabletCopySession",
        BeginTabletCopySessionRequestPB.newBuilder()
            .setRequestorUuid(text(NOBODY))
            .setTabletId(text(scene.read()))
            .build());
    add(
        COPY,
        "CheckSessionActive",
        CheckTabletCopySessionActiveRequestPB.newBuilder()
            .setSessionId(text(NOBODY))
            .setKeepalive(true)
            .build());
    add(
        COPY,
        "FetchData",
        FetchDataRequestPB.newBuilder()
            .setSessionId(text(NOBODY))
            .setDataId(DataIdPB.newBuilder().setType(DataIdPB.IdType.BLOCK).setFileName("1.cfile"))
            .setOffset(0)
            .setMaxLength(1000)
            .build());
    add(
        COPY,
        "EndTabletCopySession",
        EndTabletCopySessionRequestPB.newBuilder()
            .setSessionId(text(NOBODY))
            .setIsSuccess(true)
            .build());
  }

  private void masterIdentity() {
    add(MASTER, "Ping", PingRequestPB.getDefaultInstance());
    add(MASTER, "ConnectToMaster", ConnectToMasterRequestPB.getDefaultInstance());
    add(MASTER, "GetMasterRegistration", GetMasterRegistrationRequestPB.getDefaultInstance());
    add(MASTER, "ListMasters", ListMastersRequestPB.getDefaultInstance());
    add(MASTER, "AddMaster", AddMasterRequestPB.newBuilder().setRpcAddr(NOWHERE).build());
    add(
        MASTER,
        "RemoveMaster",
        RemoveMasterRequestPB.newBuilder().setRpcAddr(NOWHERE).setMasterUuid(NOBODY).build());
    transactions();
    add(MASTERS, "EnsureStatusTablet", ensured(5));
    add(MASTERS, "Introduce", IntroduceRequestPB.newBuilder().setUuid(text(NOBODY)).build());
    add(
        MASTERS,
        "CopyCatalog",
        CopyCatalogRequestPB.newBuilder()
            .setUuid(text(NOBODY))
            .setIndex(1)
            .setAfterKind(1)
            .setAfterId("a")
            .build());
  }

  private static EnsureStatusTabletRequestPB ensured(long transaction) {
    return EnsureStatusTabletRequestPB.newBuilder().setTxnId(transaction).build();
  }

  /** Of an id that no transaction has. */
  private void transactions() {
    long id = 777_777;
    add(TRANSACTIONS, "BeginTransaction", BeginTransactionRequestPB.getDefaultInstance());
    add(
        TRANSACTIONS,
        "CommitTransaction",
        CommitTransactionRequestPB.newBuilder().setTxnId(id).build());
    add(
        TRANSACTIONS,
        "AbortTransaction",
        AbortTransactionRequestPB.newBuilder().setTxnId(id).build());
    add(
        TRANSACTIONS,
        "GetTransactionState",
        GetTransactionStateRequestPB.newBuilder().setTxnId(id).build());
    add(
        TRANSACTIONS,
        "KeepTransactionAlive",
        KeepTransactionAliveRequestPB.newBuilder().setTxnId(id).build());
  }

  private void servers() {
    add(
        MASTER,
        "TSHeartbeat",
        Forgery.heartbeat(NOBODY, 1)
            .setRegistration(Forgery.registration(NOWHERE))
            .setRaftAddress(NOWHERE)
            .setTimestamp(now())
            .setLiveTabletCount(1)
            .setTabletReport(
                TabletReportPB.newBuilder()
                    .setIncremental(false)
                    .setSequence(1)
                    .addUpdated(
                        ReportedTabletPB.newBuilder()
                            .setTabletId(text(scene.shaken()))
                            .setState(TabletStatePB.RUNNING)
                            .setDataState(TabletDataState.TABLET_DATA_READY)))
            .build());
    add(MASTER, "TSHeartbeat", Forgery.heartbeat("8".repeat(32), 1).setTimestamp(now()).build());
    add(
        MASTER,
        "ListTabletServers",
        ListTabletServersRequestPB.newBuilder().setIncludeStates(true).build());
    add(
        MASTER,
        "ChangeTServerState",
        ChangeTServerStateRequestPB.newBuilder()
            .setChange(
                TServerStateChangePB.newBuilder()
                    .setUuid(NOBODY)
                    .setChange(TServerStateChangePB.StateChange.ENTER_MAINTENANCE_MODE))
            .build());
    add(
        MASTER,
        "UnregisterTServer",
        UnregisterTServerRequestPB.newBuilder().setUuid(NOBODY).build());
    add(MASTER, "RefreshAuthzCache", RefreshAuthzCacheRequestPB.getDefaultInstance());
  }

  private static TableIdentifierPB table(String name) {
    return TableIdentifierPB.newBuilder().setTableName(name).build();
  }

  private void tables() {
    add(
        MASTER,
        "CreateTable",
        CreateTableRequestPB.newBuilder()
            .setName("fuzzed")
            .setSchema(Forgery.schema())
            .setNumReplicas(1)
            .setPartitionSchema(
                PartitionSchemaPB.newBuilder()
                    .addHashSchema(
                        PartitionSchemaPB.HashBucketSchemaPB.newBuilder()
                            .addColumns(
                                PartitionSchemaPB.ColumnIdentifierPB.newBuilder().setName("id"))
                            .setNumBuckets(2)))
            .setOwner("fuzzer")
            .setComment("to be removed")
            .putExtraConfigs("kudu.table.history_max_age_sec", "60")
            .setRequestKey(text("0123456789abcdef"))
            .build());
    add(
        MASTER,
        "AlterTable",
        AlterTableRequestPB.newBuilder()
            .setTable(table(scene.altered()))
            .addAlterSchemaSteps(
                AlterTableRequestPB.Step.newBuilder()
                    .setType(AlterTableRequestPB.StepType.ADD_COLUMN)
                    .setAddColumn(
                        AlterTableRequestPB.AddColumn.newBuilder()
                            .setSchema(HostileCluster.column("more", DataType.INT32, false))))
            .setNewTableComment("altered")
            .build());
    add(
        MASTER,
        "IsCreateTableDone",
        IsCreateTableDoneRequestPB.newBuilder().setTable(table(scene.altered())).build());
    add(
        MASTER,
        "IsAlterTableDone",
        IsAlterTableDoneRequestPB.newBuilder().setTable(table(scene.altered())).build());
    add(
        MASTER,
        "DeleteTable",
        DeleteTableRequestPB.newBuilder()
            .setTable(table("no such table"))
            .setReserveSeconds(1)
            .build());
    add(
        MASTER,
        "RecallDeletedTable",
        RecallDeletedTableRequestPB.newBuilder()
            .setTable(TableIdentifierPB.newBuilder().setTableId(text(NOBODY)))
            .setNewTableName("recalled")
            .build());
    add(
        MASTER,
        "ReplaceTablet",
        ReplaceTabletRequestPB.newBuilder().setTabletId(text(NOBODY)).build());
    add(
        MASTER,
        "Rebalance",
        RebalanceRequestPB.newBuilder()
            .setReportOnly(true)
            .setMaxMovesPerServer(2)
            .addExcludedTabletIds(text(NOBODY))
            .build());
  }

  private void lookups() {
    add(
        MASTER,
        "ListTables",
        ListTablesRequestPB.newBuilder()
            .setNameFilter("f")
            .setListTabletWithPartition(true)
            .build());
    add(MASTER, "ListInFlightTables", ListInFlightTablesRequestPB.getDefaultInstance());
    add(
        MASTER,
        "GetTableSchema",
        GetTableSchemaRequestPB.newBuilder().setTable(table(scene.written())).build());
    add(
        MASTER,
        "GetTableLocations",
        GetTableLocationsRequestPB.newBuilder()
            .setTable(table(scene.written()))
            .setPartitionKeyStart(text("a"))
            .setKeyStart(PartitionKeyPB.newBuilder().setRangeKey(text("a")).setHashKey(text("b")))
            .setMaxReturnedLocations(10)
            .setInternTsInfosInResponse(true)
            .build());
    add(
        MASTER,
        "GetTabletLocations",
        GetTabletLocationsRequestPB.newBuilder().addTabletIds(text(scene.read())).build());
    add(
        MASTER,
        "GetTableStatistics",
        GetTableStatisticsRequestPB.newBuilder()
            .setTable(table(scene.written()))
            .setWithColumns(true)
            .build());
    add(
        MASTER,
        "GetIndexProgress",
        GetIndexProgressRequestPB.newBuilder().setTable(table(scene.written())).build());
    add(
        MASTER,
        "SetColumnStatistics",
        SetColumnStatisticsRequestPB.newBuilder()
            .setTable(table(scene.written()))
            .addColumns(
                ColumnStatisticsPB.newBuilder()
                    .setColumnId(10)
                    .setAnalyzedMicros(1_700_000_000_000_000L)
                    .setRowCount(1000)
                    .setNullCount(1)
                    .setDistinctCount(10)
                    .setMin(text("\0\0\0\1"))
                    .setMax(text("\0\0\1\0")))
            .build());
  }
}
