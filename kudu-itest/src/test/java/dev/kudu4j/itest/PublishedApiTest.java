package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A program written for Apache Kudu's Java client compiles with ours after its imports are changed:
 * each public class and member exists here, with the same name and signature. Asynchronous results
 * are {@code CompletableFuture} here, {@code Deferred} there.
 *
 * <p>Intentional omissions are listed, each with its reason; the list must not contain more than is
 * missing.
 */
class PublishedApiTest {
  private static final String THEIRS = "org.apache.kudu.";
  private static final String AUDIENCE = "org.apache.yetus.audience.InterfaceAudience$";

  /** Directories of the client's classes: reading all of our classes takes minutes. */
  private static final Pattern OF_THE_CLIENT =
      Pattern.compile(".*/dev/kudu4j/([^/]+|(client|util|common)/.+)");

  /** Types of other libraries, and of the wire, that have another name here. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "com.stumbleupon.async.Deferred", "java.util.concurrent.CompletableFuture",
          "org.apache.kudu.shaded.com.google.protobuf.ByteString", "com.google.protobuf.ByteString",
          "org.apache.kudu.Common$DataType", "dev.kudu4j.common.schema.DataType");

  private static final Set<String> KNOWINGLY_ABSENT =
      Set.of(
          // no encryption, no transactions yet
          "AsyncKuduClient.jwt(String)",
          "AsyncKuduClient.trustedCertificates(List)",
          "KuduClient.jwt(String)",
          "KuduClient.trustedCertificates(List)",
          // a future without a value replaces one with a list of nulls
          "AsyncKuduClient.shutdown() returns java.util.concurrent.CompletableFuture<java.lang.Void>",
          // the original failure is the cause
          "KuduException.OriginalException",
          // the filter has the format of the servers, which fixes the hash function
          "BloomFilter.HashFunctions",
          "BloomFilter.byCountAndFPRate(int, double, BloomFilter.HashFunction)",
          "BloomFilter.bySizeAndFPRate(int, double, BloomFilter.HashFunction)",
          // an operation is no request, it is part of one
          "HasFailedRpcException.getFailedRpc() returns Operation",
          "KuduRpc.getExternalConsistencyMode()",
          "KuduRpc.setExternalConsistencyMode(ExternalConsistencyMode)",
          "KuduRpc.setPropagatedTimestamp(long)",
          // used only inside that client
          "AsyncKuduClient.LOG",
          "HashUtil",
          "KuduScanToken.newRemoteTabletFromTabletMetadata(Client.TabletMetadataPB, String, Partition)",
          "LocatedTablet.new(RemoteTablet)",
          "RangePartitionWithCustomHashSchema.toPB() returns PartitionSchemaPB.RangeWithHashSchemaPB",
          "SecurityManagerCompatibility",
          "TimeoutTracker");

  private static final JavaClasses PUBLISHED =
      new ClassFileImporter()
          .withImportOption(file -> !file.contains("/shaded/"))
          .importPackages("org.apache.kudu");

  private static final JavaClasses OWN =
      new ClassFileImporter()
          .withImportOption(file -> file.matches(OF_THE_CLIENT))
          .importPackages("dev.kudu4j");

  @Test
  void portedProgramsChangeOnlyTheirImports() {
    TreeSet<String> absent = new TreeSet<>();
    PUBLISHED.stream().filter(PublishedApiTest::isForUsers).forEach(type -> compare(type, absent));
    assertThat(absent).isEqualTo(new TreeSet<>(KNOWINGLY_ABSENT));
  }

  private static void compare(JavaClass theirs, Set<String> absent) {
    String name = here(theirs.getName());
    if (!OWN.contain(name) || !isPublic(OWN.get(name))) {
      absent.add(simple(theirs));
      return;
    }
    JavaClass ours = OWN.get(name);
    supertypes(theirs)
        .filter(type -> !ours.isAssignableTo(here(type.getName())))
        .forEach(type -> absent.add(simple(theirs) + " is a " + simple(type)));
    for (JavaField field : theirs.getFields()) {
      if (isForUsers(field) && !hasField(ours, field)) {
        absent.add(simple(theirs) + "." + field.getName());
      }
    }
    Stream.concat(theirs.getAllMethods().stream(), theirs.getConstructors().stream())
        .filter(member -> member.getOwner().getName().startsWith(THEIRS))
        .filter(PublishedApiTest::isForUsers)
        .filter(member -> !isBridge(member))
        .forEach(
            member -> {
              Optional<? extends JavaCodeUnit> same = counterpart(ours, member);
              if (same.isEmpty()) {
                absent.add(text(member));
              } else {
                differences(member, same.get())
                    .forEach(what -> absent.add(text(member) + " " + what));
              }
            });
  }

  private static Stream<JavaClass> supertypes(JavaClass theirs) {
    return Stream.concat(
            theirs.getAllRawSuperclasses().stream(), theirs.getAllRawInterfaces().stream())
        .filter(type -> !type.getName().startsWith(THEIRS) || isForUsers(type));
  }

  private static boolean hasField(JavaClass ours, JavaField theirs) {
    return ours.getAllFields().stream()
        .anyMatch(field -> field.getName().equals(theirs.getName()) && isPublic(field));
  }

  private static Optional<? extends JavaCodeUnit> counterpart(JavaClass ours, JavaCodeUnit theirs) {
    Stream<? extends JavaCodeUnit> candidates =
        theirs.isConstructor()
            ? ours.getConstructors().stream()
            : ours.getAllMethods().stream()
                .filter(method -> method.getName().equals(theirs.getName()));
    return candidates
        .filter(unit -> isPublic(unit) && !isBridge(unit))
        .filter(unit -> takesAsMuch(unit, theirs))
        .findFirst();
  }

  private static boolean takesAsMuch(JavaCodeUnit ours, JavaCodeUnit theirs) {
    List<JavaClass> here = ours.getRawParameterTypes();
    List<JavaClass> there = theirs.getRawParameterTypes();
    if (here.size() != there.size()) {
      return false;
    }
    for (int i = 0; i < here.size(); i++) {
      if (!isA(there.get(i), here.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether their type, translated, is a supertype of our type. */
  private static boolean isA(JavaClass theirs, JavaClass ours) {
    String translated = here(theirs.getName());
    if (translated.equals(ours.getName()) || theirs.isAssignableTo(ours.getName())) {
      return true;
    }
    return OWN.contain(translated) && OWN.get(translated).isAssignableTo(ours.getName());
  }

  private static List<String> differences(JavaCodeUnit theirs, JavaCodeUnit ours) {
    List<String> found = new ArrayList<>();
    if (theirs instanceof JavaMethod) {
      String expected = here(theirs.getRawReturnType().getName());
      JavaClass given = ours.getRawReturnType();
      if (!given.getName().equals(expected) && !given.isAssignableTo(expected)) {
        found.add("returns " + simple(given));
      } else if (given.getName().equals(expected)
          && theirs.getReturnType() instanceof JavaParameterizedType
          && !generic(theirs.getReturnType()).equals(generic(ours.getReturnType()))) {
        found.add("returns " + generic(ours.getReturnType()));
      }
      if (isStatic(theirs) != isStatic(ours)) {
        found.add(isStatic(ours) ? "is static" : "is not static");
      }
    }
    Set<String> thrownThere = checked(theirs);
    Set<String> thrownHere = checked(ours);
    if (!thrownThere.contains("java.lang.Exception") && !thrownThere.equals(thrownHere)) {
      found.add("throws " + thrownHere);
    }
    return found;
  }

  private static String generic(JavaType type) {
    String name = type.getName();
    if (type instanceof JavaParameterizedType parameterized) {
      name =
          here(parameterized.toErasure().getName())
              + parameterized.getActualTypeArguments().stream()
                  .map(PublishedApiTest::generic)
                  .collect(Collectors.joining(", ", "<", ">"));
    }
    return here(name);
  }

  private static Set<String> checked(JavaCodeUnit unit) {
    return unit.getExceptionTypes().stream()
        .filter(type -> !type.isAssignableTo(RuntimeException.class))
        .map(type -> here(type.getName()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  // ---------------------------------------------------------------- what users may use

  private static boolean isForUsers(JavaClass type) {
    if (!isPublic(type) || !type.getName().startsWith(THEIRS) || isHidden(type) || isWire(type)) {
      return false;
    }
    return type.getEnclosingClass().map(PublishedApiTest::isForUsers).orElse(true);
  }

  private static boolean isForUsers(JavaMember member) {
    return isPublic(member) && !isHidden(member);
  }

  /** A file of messages that the protobuf compiler generates. */
  private static boolean isWire(JavaClass type) {
    return type.getMethods().stream()
        .anyMatch(method -> method.getName().equals("registerAllExtensions"));
  }

  private static boolean isHidden(HasAnnotations<?> annotated) {
    for (JavaAnnotation<?> annotation : annotated.getAnnotations()) {
      String name = annotation.getRawType().getName();
      if (name.equals(AUDIENCE + "Private")) {
        return true;
      }
      if (name.equals(AUDIENCE + "LimitedPrivate")) {
        Object audience = annotation.get("value").orElse("");
        return audience instanceof Object[] names
            ? Arrays.asList(names).contains("Test")
            : audience.equals("Test");
      }
    }
    return false;
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean isPublic(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean isStatic(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.STATIC);
  }

  private static boolean isBridge(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.BRIDGE)
        || member.getModifiers().contains(JavaModifier.SYNTHETIC);
  }

  // ---------------------------------------------------------------- names

  private static String here(String name) {
    if (RENAMED.containsKey(name)) {
      return RENAMED.get(name);
    }
    return name.replaceFirst("^(\\[*L?)org\\.apache\\.kudu\\.", "$1dev.kudu4j.");
  }

  private static String text(JavaCodeUnit unit) {
    String name = unit.isConstructor() ? "new" : unit.getName();
    return simple(unit.getOwner())
        + "."
        + name
        + unit.getRawParameterTypes().stream()
            .map(PublishedApiTest::simple)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String simple(JavaClass type) {
    return type.getName().replaceFirst(".*\\.", "").replace('$', '.');
  }
}
