package dev.kudu4j.itest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.HashSet;
import java.util.Set;

/**
 * Dependencies between the modules of the map point down only; kudu-spark has a test of its own.
 */
@AnalyzeClasses(
    packages = "dev.kudu4j",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      ArchitectureTest.WithoutJarsOfTests.class
    })
class ArchitectureTest {
  static final class WithoutJarsOfTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule ARROWS_POINT_DOWN =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("common")
          .definedBy("dev.kudu4j.common..")
          .layer("tablet")
          .definedBy("dev.kudu4j.tablet..")
          .layer("server")
          .definedBy("dev.kudu4j.server..")
          .layer("tserver")
          .definedBy("dev.kudu4j.tserver..")
          .layer("master")
          .definedBy("dev.kudu4j.master..")
          .layer("client")
          .definedBy("dev.kudu4j", "dev.kudu4j.util..", "dev.kudu4j.client..")
          .layer("embedded")
          .definedBy("dev.kudu4j.embedded..")
          .layer("tools")
          .definedBy("dev.kudu4j.tools..")
          .layer("mapreduce")
          .definedBy("dev.kudu4j.mapreduce..")
          .whereLayer("tablet")
          .mayOnlyBeAccessedByLayers("server", "tserver", "master", "embedded", "tools")
          .whereLayer("server")
          .mayOnlyBeAccessedByLayers("tserver", "master", "embedded", "tools")
          .whereLayer("tserver")
          .mayOnlyBeAccessedByLayers("embedded", "tools")
          .whereLayer("master")
          .mayOnlyBeAccessedByLayers("embedded", "tools")
          .whereLayer("client")
          .mayOnlyBeAccessedByLayers("embedded", "tools", "mapreduce")
          .whereLayer("embedded")
          .mayOnlyBeAccessedByLayers("tools")
          .whereLayer("mapreduce")
          .mayNotBeAccessedByAnyLayer();

  /** The other modules have a test like these next to their code. */
  @ArchTest
  static final ArchRule PACKAGES_OF_TOOLS_HAVE_NO_CYCLES =
      slices().matching("dev.kudu4j.tools.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NOTHING_OF_OURS_NEEDS_THE_PUBLISHED_CLIENT =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.kudu..");

  /** Public classes with Arrow types in their signatures, which load nothing: PlainClientTest. */
  private static final String DOORS_TO_ARROW =
      "ArrowScanner|KuduAggregate|KuduScanner|KuduScanToken";

  @ArchTest
  static final ArchRule THE_PLAIN_CLIENT_KNOWS_NO_ARROW =
      noClasses()
          .that()
          .resideInAnyPackage("dev.kudu4j", "dev.kudu4j.util..", "dev.kudu4j.client..")
          .and()
          .resideOutsideOfPackage("dev.kudu4j.client.arrow..")
          .and()
          .haveNameNotMatching("dev\\.kudu4j\\.client\\.(" + DOORS_TO_ARROW + ")(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.arrow..");

  /**
   * The public API is one slice: Apache Kudu's names spread it over {@code dev.kudu4j}, {@code
   * util} and {@code client}. Each package below {@code client} is a separate slice.
   */
  private static final SliceAssignment PACKAGES_OF_THE_CLIENT =
      new SliceAssignment() {
        private static final String CLIENT = "dev.kudu4j.client";

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
          String name = type.getPackageName();
          if (name.startsWith(CLIENT + ".")) {
            return SliceIdentifier.of(name);
          }
          boolean isApi =
              name.equals(CLIENT) || name.equals("dev.kudu4j") || name.equals("dev.kudu4j.util");
          return isApi ? SliceIdentifier.of("the public API") : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
          return "packages of the client";
        }
      };

  @ArchTest
  static final ArchRule PACKAGES_OF_THE_CLIENT_HAVE_NO_CYCLES =
      slices().assignedFrom(PACKAGES_OF_THE_CLIENT).should().beFreeOfCycles();

  /** Internal packages may change with each version. */
  @ArchTest
  static final ArchRule THE_PUBLIC_API_MENTIONS_NO_INTERNAL_TYPE =
      classes()
          .that()
          .resideInAnyPackage("dev.kudu4j", "dev.kudu4j.util", "dev.kudu4j.client")
          .and()
          .arePublic()
          .should(
              new ArchCondition<>("mention no internal type in public or protected members") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                  for (JavaMember member : type.getMembers()) {
                    for (JavaClass mentioned :
                        isApi(member) ? typesOf(member) : Set.<JavaClass>of()) {
                      if (isInternal(mentioned)) {
                        events.add(
                            SimpleConditionEvent.violated(
                                member,
                                member.getDescription() + " mentions " + mentioned.getName()));
                      }
                    }
                  }
                }
              });

  private static boolean isApi(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
  }

  /** Includes type arguments. */
  private static Set<JavaClass> typesOf(JavaMember member) {
    if (member instanceof JavaField field) {
      return field.getType().getAllInvolvedRawTypes();
    }
    JavaCodeUnit method = (JavaCodeUnit) member;
    Set<JavaClass> types = new HashSet<>(method.getReturnType().getAllInvolvedRawTypes());
    method.getParameterTypes().forEach(type -> types.addAll(type.getAllInvolvedRawTypes()));
    return types;
  }

  private static boolean isInternal(JavaClass type) {
    String packageName = type.getPackageName();
    boolean isOfClient =
        packageName.equals("dev.kudu4j") || packageName.startsWith("dev.kudu4j.client");
    return packageName.startsWith("dev.kudu4j.client.")
        || (isOfClient && !type.getModifiers().contains(JavaModifier.PUBLIC));
  }

  @ArchTest
  static final ArchRule THE_PLAIN_CLIENT_KNOWS_NO_MICROMETER =
      noClasses()
          .that()
          .resideInAnyPackage("dev.kudu4j", "dev.kudu4j.util..", "dev.kudu4j.client..")
          .and()
          .haveNameNotMatching("dev\\.kudu4j\\.client\\.KuduClientMetrics(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.micrometer..");

  @ArchTest
  static final ArchRule HADOOP_JOBS_KNOW_THE_CLIENT_FROM_OUTSIDE =
      noClasses()
          .that()
          .resideInAPackage("dev.kudu4j.mapreduce..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.kudu4j.client.cluster..",
              "dev.kudu4j.client.lookup..",
              "dev.kudu4j.client.parallel..",
              "dev.kudu4j.client.row..",
              "dev.kudu4j.client.scan..",
              "dev.kudu4j.client.stream..",
              "dev.kudu4j.client.token..",
              "dev.kudu4j.client.write..",
              "dev.kudu4j.common.rpc..",
              "com.google.protobuf..",
              "io.netty..");

  @ArchTest
  static final ArchRule THE_ENGINE_KNOWS_NO_NETWORK =
      noClasses()
          .that()
          .resideInAPackage("dev.kudu4j.tablet..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.netty..", "dev.kudu4j.common.rpc..", "org.apache.ratis..");

  @ArchTest
  static final ArchRule COMMON_KNOWS_NO_ARROW =
      noClasses()
          .that()
          .resideInAPackage("dev.kudu4j.common..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.arrow..", "org.apache.ratis..");

  @ArchTest
  static final ArchRule RAW_MEMORY_HAS_ONE_DOOR =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.kudu4j.common.memory..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("sun.misc.Unsafe");
}
